"""The server itself: what an editor opens and changes, and what it asks about it."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from distify import __version__

from ..files.outcome import Outcome
from ..report.edits import lines
from .looks import Looks
from .said import actions, diagnostics, page_at

PAUSE = 0.2  # seconds without a key before a text is looked at
STACK = 64 << 20  # bytes: programs are trees, and some are deep
SCRIPT = ".py"


class Server(LanguageServer):
    """Looks at one text after the other, beside the thread that talks to the editor."""

    def __init__(self) -> None:
        super().__init__("distify", __version__)
        self.looks = Looks()
        threading.stack_size(STACK)
        self._pool = ThreadPoolExecutor(1, "distify")

    async def outcome(self, document: TextDocument) -> Outcome | None:
        """What becomes of a document as it is now."""
        if not document.path.endswith(SCRIPT):
            return None
        loop = asyncio.get_running_loop()
        look = self.looks.at
        return await loop.run_in_executor(self._pool, look, document.path, document.source)

    async def publish(self, uri: str, version: int | None, *, pause: float = 0.0) -> None:
        """Tells the findings of a version of a document, if nobody types on meanwhile."""
        document = self.workspace.get_text_document(uri)
        await asyncio.sleep(pause)
        if self.workspace.get_text_document(uri).version != version:
            return
        outcome = await self.outcome(document)
        if self.workspace.get_text_document(uri).version == version:
            found = diagnostics(outcome) if outcome is not None else []
            for each in found:
                each.range = self.theirs(document, each.range)
            told = lsp.PublishDiagnosticsParams(uri, found, version)
            self.text_document_publish_diagnostics(told)

    def theirs(self, document: TextDocument, place: lsp.Range) -> lsp.Range:
        """A range in the units that the editor counts in."""
        codec = self.workspace.position_codec
        return codec.range_to_client_units(lines(document.source), place)

    def ours(self, document: TextDocument, place: lsp.Range) -> lsp.Range:
        """A range of the editor's in code points."""
        codec = self.workspace.position_codec
        found = codec.range_from_client_units(lines(document.source), place)
        begin, end = found.start, found.end
        return lsp.Range(
            lsp.Position(begin.line, begin.character), lsp.Position(end.line, end.character)
        )


def server() -> Server:
    """A server that knows all that it can be asked."""
    made = Server()
    _tells(made)
    _answers(made)
    return made


def _tells(made: Server) -> None:
    """What an editor opens, changes, saves and closes is answered with findings."""

    @made.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def opened(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
        await ls.publish(params.text_document.uri, params.text_document.version)

    @made.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
        await ls.publish(params.text_document.uri, params.text_document.version, pause=PAUSE)

    @made.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def saved(ls: Server, params: lsp.DidSaveTextDocumentParams) -> None:
        ls.looks.forget()
        for uri, document in list(ls.workspace.text_documents.items()):
            await ls.publish(uri, document.version)

    @made.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
        gone = lsp.PublishDiagnosticsParams(params.text_document.uri, [])
        ls.text_document_publish_diagnostics(gone)


def _answers(made: Server) -> None:
    """What a person asks about a place."""
    kinds = [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.RefactorRewrite]

    @made.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(kinds))
    async def offered(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        document = ls.workspace.get_text_document(params.text_document.uri)
        outcome = await ls.outcome(document)
        if outcome is None:
            return []
        wanted = ls.ours(document, params.range)
        found = [*actions(outcome, document.uri, wanted)]
        for each in found:
            _turn(ls, document, each)
        return found

    @made.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def explained(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
        document = ls.workspace.get_text_document(params.text_document.uri)
        outcome = await ls.outcome(document)
        here = ls.ours(document, lsp.Range(params.position, params.position)).start
        found = page_at(outcome, here) if outcome is not None else None
        if found is not None and found.range is not None:
            found.range = ls.theirs(document, found.range)
        return found


def _turn(ls: Server, document: TextDocument, action: lsp.CodeAction) -> None:
    """Gives all places of an action in the editor's units."""
    for each in action.diagnostics or ():
        each.range = ls.theirs(document, each.range)
    changes = action.edit.changes if action.edit is not None else None
    for edit in (changes or {}).get(document.uri, ()):
        edit.range = ls.theirs(document, edit.range)
