"""`distify server` over its pipes, with a real client; and what it remembers."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from bench.editor import PATIENCE, Editor, applied
from lsprotocol import types as lsp

from distify.assistant.server import editor_looks
from distify.assistant.server.editor_looks import Looks

INNER = """\
def main():
    name = "\N{GRINNING FACE}"; import tensorflow as tf
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(tf.random.normal((8, 4)), tf.random.normal((8, 1)))


main()
"""
PLAIN = "print('nothing to see')\n"


@pytest.fixture(autouse=True)
def fake_engine() -> None:
    """None of it here."""


async def story(folder: Path) -> None:
    editor = Editor()
    path = folder / "train.py"  # which nobody has saved
    try:
        await editor.begin(folder)
        editor.open(path, INNER)
        first = await editor.next()
        (found,) = [each for each in first.diagnostics if each.code == "R01"]
        assert found.severity == lsp.DiagnosticSeverity.Error
        assert found.source == "distify"
        assert "not imported at the top" in found.message
        line = INNER.splitlines()[1]
        at = len(line[: line.index("import")].encode("utf-16-le")) // 2
        assert (found.range.start.line, found.range.start.character) == (1, at)

        assert await editor.actions(path, 4) == []
        (repair,) = await editor.actions(path, 1)
        assert repair.title.startswith("A01: ")
        assert repair.kind == lsp.CodeActionKind.QuickFix
        assert [each.code for each in repair.diagnostics] == ["R01"]
        hover = await editor.hover(path, 1, at)
        assert hover.contents.value.startswith("# R01")
        assert await editor.hover(path, 7, 0) is None

        repaired = applied(INNER, repair)
        assert repaired.startswith("import tensorflow as tf\n")
        editor.change(path, 2, repaired)
        assert (await editor.next()).version == 2  # what is left of the findings, at once
        then = await editor.next()
        assert then.version == 2
        assert {each.severity for each in then.diagnostics} == {lsp.DiagnosticSeverity.Information}
        (whole,) = await editor.actions(path, 0)
        assert whole.kind == lsp.CodeActionKind.RefactorRewrite
        assert "import horovod" in applied(repaired, whole)

        editor.open(folder / "plain.py", PLAIN)
        assert not (await editor.next()).diagnostics
        closed = lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(path.as_uri()))
        editor.text_document_did_close(closed)
        gone = await editor.next()
        assert (gone.uri, len(gone.diagnostics)) == (path.as_uri(), 0)
        await asyncio.wait_for(editor.shutdown_async(None), PATIENCE)
    finally:
        await editor.end()


def test_an_editor_is_told_what_check_finds_and_gets_repairs_and_pages(tmp_path: Path) -> None:
    asyncio.run(asyncio.wait_for(story(tmp_path), 3 * PATIENCE))


def test_a_content_is_looked_at_once_until_something_is_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    look = editor_looks.examine_bytes

    def counted(target: Any, data: bytes, options: Any) -> Any:
        seen.append(target.path)
        return look(target, data, options)

    monkeypatch.setattr(editor_looks, "examine_bytes", counted)
    known, path = Looks(), str(tmp_path / "train.py")
    first = known.at(path, INNER)
    assert known.at(path, INNER) is first
    assert known.at(path, PLAIN) is None
    assert known.at(path, INNER) is first
    assert seen == [path]
    known.forget()
    assert known.at(path, INNER) == first
    assert seen == [path] * 2
    for number in range(editor_looks.MOST + 1):
        known.at(path, f"{PLAIN}{number}")
    known.at(path, INNER)
    assert len(seen) == 3


def test_settings_count_and_are_read_anew_when_saved(tmp_path: Path) -> None:
    known, path = Looks(), str(tmp_path / "train.py")
    program = INNER.replace("import tensorflow as tf", "pass").replace(
        "def main", "import tensorflow as tf\n\n\ndef main"
    )
    first = known.at(path, program)
    assert first is not None
    assert first.changed
    settings = tmp_path / "pyproject.toml"
    settings.write_text('[tool.distify]\nselect = ["D101"]\n')
    known.forget()
    then = known.at(path, program)
    assert then is not None
    assert not then.changed
    settings.write_text("[tool.distify]\nunknown = 1\n")
    known.forget()
    assert known.at(path, program) is None
