"""`distify race`: runs a program in one process, and says what its graphs leave to chance."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..report.terminal import Terminal
from . import options
from .own_arguments import RunsAProgram

if TYPE_CHECKING:
    from ..verify.run.racing import Question, Raced

FAILED, INTERRUPTED = 2, 130
FORMS = ("text", "json", "sarif", "html")


def _suffix(_: click.Context, __: click.Parameter, values: tuple[Path, ...]) -> tuple[Path, ...]:
    for value in values:
        if value.suffix.lower().strip(".") not in FORMS[1:]:
            raise click.BadParameter(f"{value.name:.200} is neither .html, .json nor .sarif")
        if not value.parent.is_dir():
            raise click.BadParameter(f"{value!s:.200}: there is no folder {value.parent!s:.200}")
    return values


@dataclass(frozen=True)
class Given:
    """What the command line says, as click names it."""

    script: Path
    arguments: tuple[str, ...]
    timeout: float
    limit_time: float
    graphs: bool
    xla: bool
    report: tuple[Path, ...]
    force_report: bool
    python: str | None
    form: str
    color: str
    verbose: bool

    def question(self) -> Question:
        """What is asked, imported here so that `--help` doesn't wait for it."""
        from ..verify.run.racing import Question

        asked = (self.script, self.arguments, self.python, self.timeout, self.limit_time)
        return Question(*asked, graphs=self.graphs or self.xla, xla=self.xla)


@click.command(
    cls=RunsAProgram,
    short_help="Run a program in one process and name the races in its graphs.",
)
@click.argument("script", type=click.Path(path_type=Path))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[-- SCRIPT ARGS]")
@click.option(
    "--timeout",
    default=60.0,
    type=click.FloatRange(1),
    metavar="SECONDS",
    help="A program that computes nothing for so long is ended. [default: 60]",
)
@click.option(
    "--limit-time",
    default=86_400.0,
    type=click.FloatRange(0),
    metavar="SECONDS",
    help="End it after so long, whatever it does; 0: never. [default: 86400, a day]",
)
@click.option(
    "--graphs",
    is_flag=True,
    help="Compare each graph with what TensorFlow makes of it: can it end otherwise?",
)
@click.option(
    "--xla",
    is_flag=True,
    help="Run with XLA's clusters, on the processor too, and compare those; implies --graphs.",
)
@click.option(
    "--report",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    multiple=True,
    callback=_suffix,
    help="Write the report there, too: .html, .json or .sarif. Can be repeated.",
)
@options.force_report
@click.option(
    "--python", metavar="PATH", shell_complete=options.files, help="The Python with TensorFlow."
)
@click.option(
    "--format", "form", type=click.Choice(FORMS), default="text",
    help="For people (text, html), for programs (json), for code scanning (sarif).",
)  # fmt: skip
@options.color
@click.option("-v", "--verbose", is_flag=True, help="Show the end of what the program printed.")
@options.given_as(Given)
def race(given: Given) -> None:
    """Run SCRIPT in one process and name what its graphs leave to chance.

    This runs your program as `python SCRIPT` would, in the current folder, with TensorFlow and
    without Horovod. Each graph that a session runs, and each tf.function that is called, is judged
    for all orders in which TensorFlow may run its operations: two that touch a variable, one of
    them to change it, with nothing that orders them (M03), and queues and mutexes that can block
    for ever (M05). It says what comes out, in which order, and what would end it.

    A race that is meant, such as updates without a lock, is answered for where it stands:
    `# distify: race=meant why`.

    \b
    Examples:
      distify race train.py
      distify race train.py --graphs
      distify race train.py --xla
      distify race train.py --report races.html -- --epochs 1
      distify race train.py --format sarif > races.sarif

    \b
    Exit code:
      0    no race
      1    there is one
      2    the program failed, or not all of it could be modelled
      130  interrupted
    """
    sys.exit(_race(given, Terminal(given.color)))


def _race(given: Given, terminal: Terminal) -> int:
    from ..files.saved import put
    from ..report.escape import safe_lines
    from ..verify.run.interrupt import Interrupt
    from ..verify.run.racing import raced
    from .proving import failures

    question = given.question()
    folder, interrupt = Path(tempfile.mkdtemp(prefix="distify-race-")), Interrupt()
    try:
        with failures(terminal):
            terminal.say(f"running {question.script} in one process")
            answer = raced(question, folder / "run", interrupt)
            _tell(answer, terminal, given.form)
            for path in given.report:
                content = _document(answer, path.suffix.lower().strip("."))
                put(str(path), content, forced=given.force_report)
            if given.verbose or answer.ending == "failed":
                terminal.say(safe_lines(answer.tail))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return INTERRUPTED if interrupt.asked else answer.exit_code


def _tell(answer: Raced, terminal: Terminal, form: str) -> None:
    from ..report import race_report as told

    if form == "text":
        terminal.show(told.lines(answer, terminal.width()))
    else:
        terminal.write(_document(answer, form))


def _document(answer: Raced, form: str) -> bytes:
    """The report in a form for programs, or as a page, which is made of that."""
    from ..report import race_report as told

    text = told.document(answer)
    if form == "sarif":
        from ..report.formats.sarif import of_remarks

        text = of_remarks(told.remarks(answer), {}, answer.ending == "done")
    elif form == "html":
        from ..report.page.whole_page import of_race

        text = of_race(json.loads(text))
    return text.encode("utf-8", "backslashreplace")
