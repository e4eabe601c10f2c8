"""An editor as `distify server` sees it, over its pipes: for tests and benches."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

PATIENCE = 100.0  # seconds, for a machine that has much else to do


class Editor(LanguageClient):
    """A client that keeps what is told of each file."""

    def __init__(self) -> None:
        super().__init__("editor", "1")
        self.told: asyncio.Queue[lsp.PublishDiagnosticsParams] = asyncio.Queue()

        def published(params: lsp.PublishDiagnosticsParams) -> None:
            self.told.put_nowait(params)

        self.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(published)

    async def begin(self, root: Path, knows_versions: bool = False) -> None:
        safe = ["-P"] if sys.version_info >= (3, 11) else []  # an older Python doesn't know it
        await self.start_io(sys.executable, *safe, "-m", "distify", "server", cwd=str(root))
        edits = lsp.WorkspaceEditClientCapabilities(document_changes=knows_versions)
        workspace = lsp.WorkspaceClientCapabilities(workspace_edit=edits)
        capabilities = lsp.ClientCapabilities(workspace=workspace)
        await self.initialize_async(lsp.InitializeParams(capabilities, root_uri=root.as_uri()))
        self.initialized(lsp.InitializedParams())

    async def next(self) -> lsp.PublishDiagnosticsParams:
        """What is told next, of whichever file."""
        return await asyncio.wait_for(self.told.get(), PATIENCE)

    def open(self, path: Path, text: str) -> None:
        item = lsp.TextDocumentItem(path.as_uri(), "python", 1, text)
        self.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def change(self, path: Path, version: int, text: str) -> None:
        named = lsp.VersionedTextDocumentIdentifier(version, path.as_uri())
        whole = [lsp.TextDocumentContentChangeWholeDocument(text)]
        self.text_document_did_change(lsp.DidChangeTextDocumentParams(named, whole))

    async def edit(
        self, path: Path, version: int, text: str
    ) -> tuple[lsp.PublishDiagnosticsParams, lsp.PublishDiagnosticsParams]:
        """What is told of a change of a file that is known: at once, and of the new text."""
        self.change(path, version, text)
        return await self.next(), await self.next()

    async def end(self) -> None:
        """Ends the server, whatever it does."""
        self.exit(None)
        await self.stop()  # type: ignore[no-untyped-call]

    async def actions(self, path: Path, line: int) -> list[Any]:
        place = lsp.Range(lsp.Position(line, 0), lsp.Position(line, 0))
        params = lsp.CodeActionParams(
            lsp.TextDocumentIdentifier(path.as_uri()), place, lsp.CodeActionContext([])
        )
        return list(await self.text_document_code_action_async(params) or [])

    async def hover(self, path: Path, line: int, character: int) -> Any:
        named = lsp.TextDocumentIdentifier(path.as_uri())
        params = lsp.HoverParams(named, lsp.Position(line, character))
        return await self.text_document_hover_async(params)


def applied(text: str, action: Any) -> str:
    """The text with the edits of an action, places counted as the protocol does."""
    (edits,) = action.edit.changes.values()
    rows = text.splitlines(keepends=True)
    starts = [sum(map(len, rows[:at])) for at in range(len(rows) + 1)]

    def offset(place: Any) -> int:
        row = rows[place.line] if place.line < len(rows) else ""
        units = row.encode("utf-16-le")[: 2 * place.character]
        return int(starts[place.line]) + len(units.decode("utf-16-le"))

    for edit in reversed(edits):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text
