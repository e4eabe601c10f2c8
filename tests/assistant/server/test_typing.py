"""What an editor is told between two looks at a file: what is left of the findings, and no more."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from bench.editor import PATIENCE, Editor
from lsprotocol import types as lsp
from pygls.workspace import Workspace

from distify.assistant.report.remarks import UNREADABLE
from distify.assistant.server import editor_looks
from distify.assistant.server.moved import moved
from distify.assistant.server.serving import Server

PROGRAM = """\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(tf.random.normal((8, 4)), tf.random.normal((8, 1)))
"""


@pytest.fixture(autouse=True)
def fake_engine() -> None:
    """None of it here."""


def found(line: int, end: int = 0, message: str = "") -> lsp.Diagnostic:
    """A finding from one line to another one, counted from 0."""
    begin, behind = lsp.Position(line, 4), lsp.Position(end or line, 9)
    return lsp.Diagnostic(lsp.Range(begin, behind), message)


def lines(left: list[lsp.Diagnostic]) -> list[tuple[int, int]]:
    return [(each.range.start.line, each.range.end.line) for each in left]


def places(told: lsp.PublishDiagnosticsParams) -> list[tuple[int, object]]:
    return sorted((each.range.start.line, str(each.code)) for each in told.diagnostics)


# -- what an edit leaves --------------------------------------------------------------------------

BEFORE = "a\nb\nc\nd\n"
CASES = {
    "nothing": (BEFORE, [0, 1, 2, 3]),
    "a line above": ("new\na\nb\nc\nd\n", [1, 2, 3, 4]),
    "a line between": ("a\nb\nnew\nc\nd\n", [0, 1, 3, 4]),
    "a line like its neighbour": ("a\nb\nb\nc\nd\n", [0, 2, 3, 4]),
    "a line behind": ("a\nb\nc\nd\nnew\n", [0, 1, 2, 3]),
    "half a line behind": ("a\nb\nc\nd\nnew", [0, 1, 2, 3]),
    "a line gone": ("a\nc\nd\n", [0, 1, 2]),
    "a line changed": ("a\nB\nc\nd\n", [0, 2, 3]),
    "a line split": ("a\nb\n b\nc\nd\n", [0, 1, 3, 4]),
    "lines joined": ("a\nb c\nd\n", [0, 2]),
    "two places": ("A\nb\nc\nnew\nd\nD\n", [1, 2, 4]),
    "lines that change places": ("b\nc\nd\na\n", [0, 1, 2]),
    "the last line's end": ("a\nb\nc\nd", [0, 1, 2]),
    "all gone": ("", []),
    "other ends": ("a\r\nb\r\nc\r\nd\r\n", []),
}


@pytest.mark.parametrize("name", CASES)
def test_findings_on_lines_that_stay_are_moved_and_others_dropped(name: str) -> None:
    after, wanted = CASES[name]
    left = list(moved([found(n) for n in range(4)], BEFORE, after))
    assert [each.range.start.line for each in left] == wanted


def test_from_nothing_to_a_text() -> None:
    assert list(moved([], "", BEFORE)) == []
    assert list(moved([found(0)], "", BEFORE)) == []


def test_a_finding_of_many_lines_grows_with_lines_within_and_goes_with_a_changed_one() -> None:
    many = [found(1, 3)]
    assert lines(list(moved(many, BEFORE, "a\nb\nnew\nc\nd\n"))) == [(1, 4)]
    assert lines(list(moved(many, BEFORE, "a\nb\nC\nd\n"))) == []
    assert lines(list(moved(many, BEFORE, "new\na\nb\nc\nd\n"))) == [(2, 4)]


def test_lines_that_a_message_names_move_with_the_lines() -> None:
    text = "line 1 and line 2 (lines 3, 4 and 1; lines 2 to 3), Dense(2), 2 lines, pipeline 2"
    (left,) = moved([found(3, message=text)], BEFORE, "a\nnew\nb\nc\nd\n")
    wanted = "line 1 and line 3 (lines 4, 5 and 1; lines 3 to 4), Dense(2), 2 lines, pipeline 2"
    assert left.message == wanted


def test_what_is_moved_is_no_other_finding() -> None:
    first = found(1)
    (left,) = moved([first], BEFORE, "new\n" + BEFORE)
    assert (first.range.start.line, left.range.start.line) == (1, 2)


# -- over pipes -----------------------------------------------------------------------------------


async def typed(folder: Path) -> None:
    editor, path = Editor(), folder / "train.py"
    try:
        await editor.begin(folder)
        editor.open(path, PROGRAM)
        first = await editor.next()
        assert places(first)

        # A blank line: the same findings a line below, and nothing else when it was looked at.
        at_once, full = await editor.edit(path, 2, PROGRAM.replace("\nmodel =", "\n\nmodel ="))
        assert (at_once.version, full.version) == (2, 2)
        assert places(at_once) == [(n + 1 if n > 1 else n, code) for n, code in places(first)]
        assert places(full) == places(at_once)

        # A line is added that one worker alone may run: nothing is told of it before it is known.
        more = PROGRAM + "model.save('model.keras')\n"
        at_once, full = await editor.edit(path, 3, more)
        assert places(at_once) == places(first)
        assert [each for each in places(full) if each[1] == "D203"] == [(5, "D203")]

        # A half-typed line: it is told, the others keep what was found in them.
        half = more.replace("model.compile(", "model.compile((")
        at_once, full = await editor.edit(path, 4, half)
        assert UNREADABLE not in {code for _, code in places(at_once)}
        assert UNREADABLE in {code for _, code in places(full)}
        kept = [each for each in places(full) if each[1] != UNREADABLE]
        assert kept == places(at_once)
        assert kept
        assert await editor.actions(path, 0) == []  # nothing is known of this text

        # It can be read again, as it was: all is as it was.
        _, full = await editor.edit(path, 5, PROGRAM)
        assert places(full) == places(first)
        await asyncio.wait_for(editor.shutdown_async(None), PATIENCE)
    finally:
        await editor.end()


def test_findings_stay_below_their_lines_while_somebody_types(tmp_path: Path) -> None:
    asyncio.run(asyncio.wait_for(typed(tmp_path), 3 * PATIENCE))


async def repaired(folder: Path) -> None:
    editor, path = Editor(), folder / "train.py"
    try:
        await editor.begin(folder, knows_versions=True)
        editor.open(path, PROGRAM)
        await editor.next()
        (whole,) = await editor.actions(path, 0)
        (change,) = whole.edit.document_changes
        assert (change.text_document.uri, change.text_document.version) == (path.as_uri(), 1)

        # Somebody types on before the answer: it names the text that it is for, or offers nothing.
        texts = {2: f"{PROGRAM}\nprint('done')\n", 3: f"# another text\n{PROGRAM}"}
        editor.change(path, 2, texts[2])
        asked = asyncio.ensure_future(editor.actions(path, 0))
        await asyncio.sleep(0)
        editor.change(path, 3, texts[3])
        for action in await asked:
            (change,) = action.edit.document_changes
            made = any("done" in edit.new_text for edit in change.edits)
            assert change.text_document.version == (2 if made else 3)
        while (await editor.next()).version != 3:
            pass
        (whole,) = await editor.actions(path, 1)
        (change,) = whole.edit.document_changes
        assert change.text_document.version == 3
        await asyncio.wait_for(editor.shutdown_async(None), PATIENCE)
    finally:
        await editor.end()


def test_a_repair_is_of_the_version_that_it_was_made_for(tmp_path: Path) -> None:
    asyncio.run(asyncio.wait_for(repaired(tmp_path), 3 * PATIENCE))


# -- one after the other --------------------------------------------------------------------------


class Told(Server):
    """A server without an editor, which keeps what it tells."""

    def __init__(self) -> None:
        super().__init__()
        self.protocol._workspace = Workspace(None)
        self.versions: list[tuple[str, int | None, int]] = []

    def text_document_publish_diagnostics(self, params: lsp.PublishDiagnosticsParams) -> None:
        name = params.uri.rpartition("/")[2]
        self.versions.append((name, params.version, len(params.diagnostics)))

    def put(self, path: Path, version: int, text: str) -> Any:
        item = lsp.TextDocumentItem(path.as_uri(), "python", version, text)
        self.workspace.put_text_document(item)
        return self.open(path.as_uri(), version)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], threading.Event]:
    """What is looked at; nothing is found before the event."""
    seen: list[str] = []
    go, look = threading.Event(), editor_looks.examine_bytes

    def waiting(target: Any, data: bytes, options: Any) -> Any:
        seen.append(data.decode())
        assert go.wait(PATIENCE)
        return look(target, data, options)

    monkeypatch.setattr(editor_looks, "examine_bytes", waiting)
    return seen, go


def numbered(number: int) -> str:
    return f"{PROGRAM}print({number})\n"


async def overtaken(folder: Path, seen: list[str], go: threading.Event) -> None:
    ls, path = Told(), folder / "train.py"
    tasks = []
    for number in range(1, 5):
        text = ls.put(path, number, numbered(number))
        tasks.append(asyncio.ensure_future(ls.tell(text)))
        while not seen:
            await asyncio.sleep(0.01)
    go.set()
    await asyncio.gather(*tasks)
    assert seen == [numbered(1), numbered(4)]  # under way already, and what is there now
    assert [version for _, version, _ in ls.versions] == [4]


def test_a_text_that_is_another_one_by_now_is_not_looked_at(
    tmp_path: Path, slow: tuple[list[str], threading.Event]
) -> None:
    asyncio.run(overtaken(tmp_path, *slow))


async def asked(folder: Path, seen: list[str], go: threading.Event) -> None:
    ls, path = Told(), folder / "train.py"
    ls.put(path, 1, numbered(1))
    answer = asyncio.ensure_future(ls.look(path.as_uri()))
    while not seen:
        await asyncio.sleep(0.01)
    ls.put(path, 2, numbered(2))
    go.set()
    assert await answer is None
    assert await ls.look((folder / "other.py").as_uri()) is None
    text, look = await ls.look(path.as_uri()) or (None, None)
    assert text is not None
    assert text.version == 2
    assert look is not None
    assert look.found


def test_nothing_is_answered_of_a_text_that_is_another_one_by_now(
    tmp_path: Path, slow: tuple[list[str], threading.Event]
) -> None:
    asyncio.run(asked(tmp_path, *slow))


async def closed(folder: Path, seen: list[str], go: threading.Event) -> None:
    ls, path = Told(), folder / "train.py"
    text = ls.put(path, 1, numbered(1))
    task = asyncio.ensure_future(ls.tell(text))
    while not seen:
        await asyncio.sleep(0.01)
    ls.close(path.as_uri())
    go.set()
    await task
    assert ls.versions == []
    again = ls.put(path, 1, numbered(2))
    ls.tell_moved(again)
    assert ls.versions == []  # nothing is known of it


def test_nothing_is_told_of_a_document_that_is_closed(
    tmp_path: Path, slow: tuple[list[str], threading.Event]
) -> None:
    asyncio.run(closed(tmp_path, *slow))


async def changes_twice(folder: Path) -> None:
    ls, path = Told(), folder / "train.py"
    ls.put(path, 2, numbered(2))
    assert ls.open(path.as_uri(), 1) is None  # the later change will tell


def test_a_change_that_another_one_follows_already_is_passed_over(tmp_path: Path) -> None:
    asyncio.run(changes_twice(tmp_path))
