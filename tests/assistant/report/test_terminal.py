"""Colours only where a person looks, and nothing that a file says can steer the terminal."""

from __future__ import annotations

import io
import signal
from collections.abc import Iterator

import pytest

from distify.assistant.report.escape import safe
from distify.assistant.report.lines import Span
from distify.assistant.report.terminal import Activity, Terminal, encodable, wants_color


class Screen(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain [red]text[/red] :smile:", "plain [red]text[/red] :smile:"),
        ("é 日本 😀", "é 日本 😀"),
        ("\x1b[31mred\x1b]0;title\x07", r"\x1b[31mred\x1b]0;title\x07"),
        ("a\rb\nc\td", r"a\rb\nc\td"),
        ("\x9b2J", r"\x9b2J"),
        ("access \u202elevel\u2066", r"access \u202elevel\u2066"),
        ("line\u2028end", r"line\u2028end"),
        ("caf\udce9.py", r"caf\udce9.py"),
        ("\x7f\x00", r"\x7f\x00"),
    ],
)
def test_whatever_could_steer_a_terminal_is_shown_escaped(text: str, shown: str) -> None:
    assert safe(text) == shown


@pytest.mark.parametrize("color", ["always", "never"])
def test_untrusted_text_is_harmless_on_the_screen(
    color: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Screen()
    monkeypatch.setattr("sys.stdout", screen)
    Terminal(color).show([(Span("\x1b[31mx.py [bold]b[/bold] [/]", "name"),)])
    assert r"\x1b[31mx.py [bold]b[/bold] [/]" in screen.getvalue()
    assert ("\x1b[1m" in screen.getvalue()) is (color == "always")


@pytest.mark.parametrize(
    ("choice", "environment", "terminal", "colors"),
    [
        ("auto", {}, True, True),
        ("auto", {}, False, False),
        ("auto", {"NO_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": ""}, True, True),
        ("auto", {"FORCE_COLOR": "1"}, False, True),
        ("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ("auto", {"TERM": "dumb"}, True, False),
        ("always", {"NO_COLOR": "1", "TERM": "dumb"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
    ],
)
def test_who_gets_colors(
    choice: str, environment: dict[str, str], terminal: bool, colors: bool
) -> None:
    stream = Screen() if terminal else io.StringIO()
    assert wants_color(choice, stream, environment) is colors


def test_a_long_line_is_not_broken_for_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = io.StringIO()
    monkeypatch.setattr("sys.stdout", pipe)
    Terminal().show([(Span("word " * 100),)])
    assert pipe.getvalue().count("\n") == 1


def test_what_an_encoding_lacks_is_escaped() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    assert encodable("é😀", stream) == r"\xe9\U0001f600"


NAMES = ["a.py", "b.py", "c[bold]\x1b[2J.py"]


def test_no_bar_for_a_pipe_or_what_is_done_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert list(Terminal().watched(range(3), NAMES)) == [0, 1, 2]
    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    assert list(Terminal().watched(range(3), NAMES)) == [0, 1, 2]
    assert screen.getvalue() == ""


def waiting() -> Iterator[int]:
    """The alarm rings in the midst of the second file."""
    yield 0
    signal.raise_signal(signal.SIGALRM)
    yield 1
    yield 2


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="there is no alarm")
def test_a_bar_where_it_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for a few files, and while one of them is looked at."""
    screen, before = Screen(), signal.getsignal(signal.SIGALRM)
    monkeypatch.setattr("sys.stderr", screen)
    assert list(Terminal().watched(waiting(), NAMES)) == [0, 1, 2]
    shown = screen.getvalue()
    assert "1/3" in shown
    assert "b.py" in shown
    assert "a.py" not in shown
    assert "\x1b[2J" not in shown
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@pytest.mark.parametrize("color", ["auto", "never"])
def test_who_wants_no_colours_sees_no_bar(color: str, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr("distify.assistant.report.bar.PATIENCE", 0.0)
    assert list(Terminal(color).watched(range(3), NAMES)) == [0, 1, 2]
    assert ("3/3" in screen.getvalue()) is (color == "auto")


def test_who_stops_listening_sees_no_bar_later(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    items = Terminal().watched(range(3), NAMES)
    assert next(items) == 0
    items.close()  # type: ignore[attr-defined]
    assert screen.getvalue() == ""


def test_what_is_being_done_is_told_to_a_person_and_goes_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for screen in (io.StringIO(), Screen()):
        monkeypatch.setattr("sys.stderr", screen)
        with Activity() as tell:
            tell("one")
            tell("two [bold]\x1b[2J")
        shown = screen.getvalue()
        assert (r"two [bold]\x1b[2J" in shown) is screen.isatty()
        assert "\x1b[2J" not in shown
    assert shown.endswith("\x1b[2K")  # the line is empty


def test_a_page_is_laid_out_for_a_person_only(monkeypatch: pytest.MonkeyPatch) -> None:
    for screen, color in ((io.StringIO(), "auto"), (Screen(), "always")):
        monkeypatch.setattr("sys.stdout", screen)
        Terminal(color).page("# Title\n\nSome *text*.\n")
        assert ("# Title" in screen.getvalue()) is (color == "auto")
