"""The server itself: what an editor opens and changes, and what it asks about it.

What was found in one text of a document is told of the next one at once, moved by the edit; what
is found in that follows. Nothing is offered for another text than the one it was made for.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import attrs
from lsprotocol import types as lsp
from pygls.capabilities import get_capability
from pygls.lsp.server import LanguageServer

from distify import __version__

from ..files.outcome import Outcome
from ..report.edits import lines
from ..report.remarks import UNREADABLE
from .editor_looks import Looks
from .moved import moved
from .said import actions, diagnostics, page_at

PAUSE = 0.2  # seconds without a key before a text is looked at that takes as long
TURN = 0.001  # seconds after which a look lets the editor be answered
STACK = 64 << 20  # bytes: programs are trees, and some are deep
SCRIPT = ".py"


class Text(NamedTuple):
    """What a document holds in one of its versions."""

    uri: str
    path: str
    source: str
    version: int | None


class Look(NamedTuple):
    """What was found in a text, and the seconds that it took."""

    outcome: Outcome | None
    found: Sequence[lsp.Diagnostic]
    seconds: float


class Shown(NamedTuple):
    """What an editor was told of a text; `pause`: how long the next one is waited for."""

    source: str
    found: Sequence[lsp.Diagnostic]
    pause: float = 0.0


class Server(LanguageServer):
    """Looks at one text after the other, beside the thread that talks to the editor."""

    def __init__(self) -> None:
        super().__init__("distify", __version__)
        self.looks = Looks()
        self._texts: dict[str, Text] = {}  # the open documents by their addresses
        self._shown: dict[str, Shown] = {}
        threading.stack_size(STACK)
        sys.setswitchinterval(TURN)
        self._pool = ThreadPoolExecutor(1, "distify")

    def open(self, uri: str, version: int) -> Text | None:
        """The text of a document that became this version; None if it is a later one by now."""
        document = self.workspace.get_text_document(uri)
        if document.version != version:
            return None
        self._texts[uri] = Text(uri, document.path, document.source, version)
        return self._texts[uri]

    def close(self, uri: str) -> None:
        """Knows nothing more of a document."""
        self._texts.pop(uri, None)
        self._shown.pop(uri, None)

    def texts(self) -> list[Text]:
        """What the open documents hold."""
        return list(self._texts.values())

    def is_open(self, text: Text) -> bool:
        """Whether a document still holds a text."""
        return self._texts.get(text.uri) is text

    async def look(self, uri: str) -> tuple[Text, Look] | None:
        """What a document holds, and what was found in it; None if it changes meanwhile."""
        text = self._texts.get(uri)
        found = await self._looked(text) if text is not None else None
        return (text, found) if text is not None and found is not None else None

    async def forget(self) -> None:
        """Some file was saved. A look that is under way ends before."""
        await asyncio.get_running_loop().run_in_executor(self._pool, self.looks.forget)

    async def _looked(self, text: Text) -> Look | None:
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._pool, self._look, text)
        return found if self.is_open(text) else None

    def _look(self, text: Text) -> Look | None:
        """In the pool: looks at a text; None if nobody holds it any more when its turn comes."""
        if not self.is_open(text):
            return None
        begin = time.monotonic()
        is_script = text.path.endswith(SCRIPT)
        outcome = self.looks.at(text.path, text.source) if is_script else None
        found = diagnostics(outcome) if outcome is not None else []
        gc.collect(0)  # 15 ms; what ten looks leave is 400, in which no editor is answered
        return Look(outcome, found, time.monotonic() - begin)

    def tell_moved(self, text: Text) -> None:
        """Tells what was told of the text before, as far as the edit leaves it."""
        shown = self._shown.get(text.uri)
        if shown is not None:
            left = moved(shown.found, shown.source, text.source)
            self._tell(text, list(left), shown.pause)

    async def tell(self, text: Text, *, is_typed: bool = False) -> None:
        """Tells what is found in a text, if nobody types on meanwhile."""
        shown = self._shown.get(text.uri, Shown(text.source, ()))
        if is_typed:
            await asyncio.sleep(shown.pause)
        look = await self._looked(text)
        if look is None:
            return
        found = [*look.found]
        if look.outcome is not None and look.outcome.problem is not None:
            # A line is half typed: what was found in the others stays below them.
            found += [each for each in self._told_of(text) if each.code != UNREADABLE]
        # A text that is known or can't be parsed takes no time: the next one may take its own.
        self._tell(text, found, min(PAUSE, max(look.seconds, shown.pause / 2)))

    def _told_of(self, text: Text) -> Sequence[lsp.Diagnostic]:
        """What is told of a text already."""
        shown = self._shown.get(text.uri)
        return shown.found if shown is not None and shown.source == text.source else ()

    def _tell(self, text: Text, found: Sequence[lsp.Diagnostic], pause: float) -> None:
        self._shown[text.uri] = Shown(text.source, found, pause)
        told = list(self.theirs(text, found))
        params = lsp.PublishDiagnosticsParams(text.uri, told, text.version)
        self.text_document_publish_diagnostics(params)

    def theirs(self, text: Text, found: Iterable[lsp.Diagnostic]) -> Iterator[lsp.Diagnostic]:
        """Findings with their ranges in the units that the editor counts in."""
        for each in found:
            yield attrs.evolve(each, range=self.their_range(text, each.range))

    def their_range(self, text: Text, place: lsp.Range) -> lsp.Range:
        """A range in the units that the editor counts in."""
        codec = self.workspace.position_codec
        return codec.range_to_client_units(lines(text.source), place)

    def our_range(self, text: Text, place: lsp.Range) -> lsp.Range:
        """A range of the editor's in code points."""
        codec = self.workspace.position_codec
        found = codec.range_from_client_units(lines(text.source), place)
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
        text = ls.open(params.text_document.uri, params.text_document.version)
        if text is not None:
            await ls.tell(text)

    @made.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
        text = ls.open(params.text_document.uri, params.text_document.version)
        if text is not None:
            ls.tell_moved(text)
            await ls.tell(text, is_typed=True)

    @made.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def saved(ls: Server, params: lsp.DidSaveTextDocumentParams) -> None:
        await ls.forget()
        for text in ls.texts():
            await ls.tell(text)

    @made.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
        ls.close(params.text_document.uri)
        gone = lsp.PublishDiagnosticsParams(params.text_document.uri, [])
        ls.text_document_publish_diagnostics(gone)


def _answers(made: Server) -> None:
    """What a person asks about a place; nothing is answered of a text that is another one then."""
    kinds = [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.RefactorRewrite]

    @made.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(kinds))
    async def offered(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        asked = await ls.look(params.text_document.uri)
        if asked is None:
            return []
        text, look = asked
        if look.outcome is None:
            return []
        wanted = ls.our_range(text, params.range)
        found = actions(look.outcome, look.found, text.uri, wanted)
        return [_theirs(ls, text, each) for each in found]

    @made.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def explained(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
        asked = await ls.look(params.text_document.uri)
        if asked is None:
            return None
        text, look = asked
        here = ls.our_range(text, lsp.Range(params.position, params.position)).start
        found = page_at(look.found, here)
        if found is not None and found.range is not None:
            found.range = ls.their_range(text, found.range)
        return found


def _theirs(ls: Server, text: Text, action: lsp.CodeAction) -> lsp.CodeAction:
    """An action in the editor's units, of this version alone if the editor knows versions."""
    action.diagnostics = list(ls.theirs(text, action.diagnostics or ()))
    changes = action.edit.changes if action.edit is not None else None
    edits = [
        attrs.evolve(each, range=ls.their_range(text, each.range))
        for each in (changes or {}).get(text.uri, ())
    ]
    knows = get_capability(ls.client_capabilities, "workspace.workspace_edit.document_changes")
    if knows:
        named = lsp.OptionalVersionedTextDocumentIdentifier(text.uri, text.version)
        action.edit = lsp.WorkspaceEdit(document_changes=[lsp.TextDocumentEdit(named, edits)])
    else:
        action.edit = lsp.WorkspaceEdit({text.uri: edits})
    return action
