"""`distify migrate [--check] FILE…` as pre-commit asks it, on each commit, without click.

Whatever else is asked, and every question that is wrong, is left to the command line.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from .interrupts import interruptible

QUIET = frozenset(["-q", "--quiet"])
FLAGS = QUIET | {"--check", "--force-exclude", "--no-cache"}


def is_known(arguments: Sequence[str]) -> bool:
    """Whether it is that command, with nothing but flags and paths (Windows: click finds them)."""
    command, others = arguments[:1], arguments[1:]
    options = {each for each in others if each.startswith("-")}
    return list(command) == ["migrate"] and options <= FLAGS and sys.platform != "win32"


@interruptible()
def answer(arguments: Sequence[str]) -> int | None:
    """The exit code, after the report; None where the command line has to say what is wrong."""
    from .. import kept_imports

    with kept_imports.kept("hook"):
        return _exit_code(arguments)


def _exit_code(arguments: Sequence[str]) -> int | None:
    from ..codemods import BadChoice
    from ..files.choice import Choice
    from ..files.codes import UnknownCode
    from ..files.config import ConfigProblem
    from ..files.repaired import repaired
    from ..files.result import look, write
    from ..report import targets, tell
    from ..report.result_report import Report
    from ..report.terminal import Terminal

    paths = [each for each in arguments[1:] if each not in FLAGS]
    dry, force_exclude = "--check" in arguments, "--force-exclude" in arguments
    terminal = Terminal("auto")
    try:
        choice = Choice((), (), only_look=dry, remembers="--no-cache" not in arguments)
        result = look(paths or ["."], choice, terminal, force_exclude)
    except (UnknownCode, ConfigProblem, BadChoice):
        return None
    if not dry:
        result = write(result)
    named = tell.meant(paths, result, force_exclude)
    is_quiet = not QUIET.isdisjoint(arguments)
    repairs = {} if is_quiet else repaired(result.outcomes, choice)
    why = targets.lines(result.outcomes, choice)
    report = Report(terminal, "migrate", result, not dry, paths=named, targets=why, repairs=repairs)
    tell.as_text(report, quiet=is_quiet)
    return tell.exit_code(result, findings_count=dry)
