"""The terminal: the only module that prints (`keyboard` asks), with its colours and width."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TextIO

from .bar import T, with_bar
from .escape import safe
from .lines import Line, Span

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress
    from rich.status import Status


STYLES = {
    "name": "bold",
    "code": "cyan",
    "changed": "green",
    "blocked": "bold red",
    "warning": "bold yellow",
    "note": "yellow",
    "dim": "dim",
    "heading": "bold",
    "removed": "red",
    "added": "green",
    "place": "magenta",
    "command": "bold cyan",
}


def wants_color(choice: str, stream: TextIO, environment: Mapping[str, str]) -> bool:
    """`--color` first, then NO_COLOR (no-color.org), FORCE_COLOR, and whether anyone looks."""
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return environment.get("TERM") != "dumb" and stream.isatty()


class Terminal:
    """Standard output and standard error, with colours where they are wanted."""

    def __init__(self, color: str = "auto") -> None:
        self.color = color

    def show(self, lines: Iterable[Line], *, error: bool = False) -> None:
        """Prints lines; rich is only imported where it has colours to show."""
        stream = sys.stderr if error else sys.stdout
        if self.colors(error=error):
            self._show_colored(lines, stream)
            return
        for line in lines:
            stream.write(encodable("".join(safe(text) for text, _ in line) + "\n", stream))
        stream.flush()

    def colors(self, *, error: bool = False) -> bool:
        """Whether that stream gets colours."""
        return wants_color(self.color, sys.stderr if error else sys.stdout, os.environ)

    def say(self, text: str) -> None:
        """One line on standard error, in the course of a command."""
        self.show([(Span(text),)], error=True)

    def is_watched(self) -> bool:
        """Whether a person looks at standard output, rather than a program."""
        return sys.stdout.isatty()

    def width(self, *, error: bool = False) -> int | None:
        """How wide text may be; None where a program reads it, which wraps for itself."""
        stream = sys.stderr if error else sys.stdout
        if not stream.isatty():
            return None
        import shutil

        return min(shutil.get_terminal_size().columns, 100)

    def write(self, data: bytes) -> None:
        """Bytes for another program: exact, whatever they hold. Never for a person's eyes."""
        sys.stdout.flush()
        stream = getattr(sys.stdout, "buffer", None)
        if stream is None:
            sys.stdout.write(data.decode("utf-8", "replace"))
        else:
            stream.write(data)
            stream.flush()

    def read(self) -> bytes:
        """All of standard input, but of more than a program may have the beginning only."""
        from ..files.source import MOST

        return sys.stdin.buffer.read(MOST + 1)

    def page(self, markdown: str) -> None:
        """A page of documentation: laid out for a person, as it is for a program."""
        if self.colors():
            from rich.markdown import Markdown

            _console(sys.stdout, self.width()).print(Markdown(markdown))
        else:
            sys.stdout.write(encodable(markdown.rstrip("\n") + "\n", sys.stdout))

    def watched(self, items: Iterable[T], names: Sequence[str]) -> Iterator[T]:
        """The items, and how far that is once it takes long, if a person is looking.

        Who wants no colours wants plain lines: a bar is drawn by the same codes.
        """
        if self.color == "never" or not sys.stderr.isatty():
            yield from items
            return
        yield from with_bar(items, names, _console(sys.stderr, None))

    def steps(self) -> Progress:
        """Lines that tell how many steps each worker has made, on standard error."""
        from rich import progress

        return progress.Progress(
            progress.SpinnerColumn(),
            progress.TextColumn("{task.description}"),
            progress.TextColumn("{task.completed} steps"),
            progress.TimeElapsedColumn(),
            console=_console(sys.stderr, None),
            transient=True,
            refresh_per_second=2,
        )

    def _show_colored(self, lines: Iterable[Line], stream: TextIO) -> None:
        from rich.text import Text

        console = _console(stream, None)
        for line in lines:
            text = Text()  # built from parts: no markup is ever read from a file
            for part, style in line:
                text.append(encodable(safe(part), stream), STYLES.get(style, ""))
            console.print(text, soft_wrap=True)


class Activity:
    """A line on standard error that says what is being done while a person waits, and goes away."""

    def __init__(self) -> None:
        self._status: Status | None = None

    def __enter__(self) -> Activity:
        return self

    def __call__(self, doing: str) -> None:
        if not sys.stderr.isatty():
            return
        from rich.status import Status
        from rich.text import Text

        if self._status is None:
            self._status = Status("", console=_console(sys.stderr, None))
            self._status.start()
        self._status.update(Text(encodable(safe(doing), sys.stderr)))

    def __exit__(self, *_: object) -> None:
        if self._status is not None:
            self._status.stop()


def encodable(text: str, stream: TextIO) -> str:
    """Text that the stream's encoding can hold; what it can't is escaped."""
    encoding = stream.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def _console(stream: TextIO, width: int | None) -> Console:
    from rich.console import Console

    return Console(
        file=stream,
        force_terminal=True,
        color_system="standard",
        no_color=False,
        highlight=False,
        markup=False,
        emoji=False,
        width=width,
    )
