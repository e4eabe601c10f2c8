"""How a program is started, for the command to try next."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

from distify.codemods.program.records import NamedTuple

from ..files import projects, scripts
from ..files.outcome import Outcome
from ..files.source_names import NOTEBOOK

if TYPE_CHECKING:
    from ..notebooks.notebook_cells import Cells


class Way(NamedTuple):
    """How a program is started: a command, the folder it needs, and what `verify` is given."""

    command: str
    folder: str = ""
    script: str = ""
    first: str = ""  # what has to be done before
    above: str = ""  # that folder, as it is

    @property
    def can_be_proved(self) -> bool:
        """Whether it is a file that `verify` can start."""
        return bool(self.script)


def way_of(outcome: Outcome, here: str = "") -> Way:
    """By a command of the project; as a module, if its imports are relative; else as a script.

    `here` is the folder that the commands are for, if not the current one.
    """
    name, cells = outcome.name, outcome.source.cells if outcome.source is not None else None
    path = os.path.abspath(name)
    if here:
        name = os.path.relpath(os.path.realpath(path), os.path.realpath(here))
    if own := projects.commands(path):
        return Way(quoted(own[0].name))
    if cells is not None:
        return _by_script(name, cells)
    module = scripts.module(path)
    if module is None:
        return Way(f"python {quoted(name)}", script=quoted(name))
    above = os.path.relpath(module.top, os.path.realpath(here) if here else None)
    folder = "" if above == os.curdir else f"cd {quoted(above)} && "
    script = os.path.relpath(os.path.realpath(path), module.top)
    return Way(f"python -m {quoted(module.name)}", folder, quoted(script), above=above)


def _by_script(name: str, cells: Cells) -> Way:
    """A notebook as the script that nbconvert makes of it; IPython reads what magics became."""
    script = quoted(name[: -len(NOTEBOOK)] + cells.layout.extension)
    command = f"{'ipython' if cells.has_magics else 'python'} {script}"
    return Way(command, "", quoted(name), f"jupyter nbconvert --to script {quoted(name)} && ")


def quoted(name: str) -> str:
    """A file name for the shell."""
    return shlex.quote(f"./{name}" if name.startswith("-") else name)
