"""`distify verify` on a notebook: a script of its cells in a scratch folder, told by cells."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..files.source import Unreadable, decode_notebook, read
from ..files.source_names import NOTEBOOK
from ..notebooks.notebook_cells import Cells
from ..notebooks.script import script
from ..notebooks.syntax import Bad
from ..report.lines import Line
from ..report.spots import mark
from ..report.terminal import Terminal
from ..verify.run.installed import SettingProblem
from ..verify.run.job import Job

SAID = "{} is run as a script of its code cells, without its magics (`%`, `!`), which are IPython's"


@contextlib.contextmanager
def as_script(job: Job, terminal: Terminal) -> Iterator[tuple[Job, Terminal]]:
    """The job with scripts for its notebooks, and a terminal that names places in cells.

    Raises SettingProblem for a notebook that can't be read.
    """
    notebooks = [path for path in (job.script, job.baseline) if path and _is_notebook(path)]
    if not notebooks:
        yield job, terminal
        return
    with tempfile.TemporaryDirectory(
        prefix="distify-notebook-", dir=Path.cwd() if job.hosts else None
    ) as folder:
        made = {path: _script_of(path, Path(os.path.realpath(folder))) for path in notebooks}
        for path, (_, cells) in made.items():
            if cells.has_magics:
                terminal.say(SAID.format(path))
        own = made.get(job.script)
        baseline = made.get(job.baseline) if job.baseline else None
        job = replace(
            job,
            script=own[0] if own else job.script,
            cells=own[1] if own else None,
            baseline=baseline[0] if baseline else job.baseline,
        )
        named = {place.name: (str(path), cells) for path, (place, cells) in made.items()}
        yield job, Renamed(terminal, named)


def _is_notebook(path: Path) -> bool:
    return path.suffix == NOTEBOOK and path.is_file()


def _script_of(path: Path, folder: Path) -> tuple[Path, Cells]:
    """The script of a notebook, beside the modules that it may import."""
    try:
        source = decode_notebook(read(str(path)))
        assert source.cells is not None
        text = script(source.cells)
    except OSError:
        raise SettingProblem(f"{path} can't be read") from None
    except Unreadable as error:
        place = mark(error.cell, error.line) if error.line else ""
        raise SettingProblem(f"{path}{place}: {error.message}") from None
    except Bad as error:
        raise SettingProblem(f"{path}{mark(error.cell, error.line)}: {error.message}") from None
    for entry in sorted(path.resolve().parent.iterdir()):
        _beside(entry, folder / entry.name)
    made = folder / f"{path.name}.py"
    made.write_bytes(text.encode("utf-8"))
    return made, source.cells


def _beside(entry: Path, place: Path) -> None:
    """A module, or a folder of modules, where the script finds it."""
    if entry.name.startswith(".") or place.exists():
        return
    if entry.is_dir():
        place.symlink_to(entry)
    elif entry.suffix == ".py" and entry.is_file():
        shutil.copyfile(entry, place)


class Renamed(Terminal):
    """A terminal that shows places in scripts of notebooks as places in their cells."""

    def __init__(self, terminal: Terminal, named: dict[str, tuple[str, Cells]]) -> None:
        super().__init__(terminal.color)
        self._named = named
        names = "|".join(map(re.escape, named))
        self._place = re.compile(
            rf"(?:[^\s\"']*/)?(?P<name>{names})(?::(?P<line>\d+)|(?P<said>\", line )(?P<far>\d+))?"
        )

    def show(self, lines: Iterable[Line], *, error: bool = False) -> None:
        """Prints lines."""
        super().show((self._in_cells(line) for line in lines), error=error)

    def document(self, text: str) -> str:
        """The report for programs with places in cells."""
        return json.dumps(self._data(json.loads(text)), indent=2, allow_nan=False) + "\n"

    def _in_cells(self, line: Line) -> Line:
        return tuple(span._replace(text=self._words(span.text)) for span in line)

    def _words(self, text: str) -> str:
        return self._place.sub(self._place_in_cell, text)

    def _place_in_cell(self, found: re.Match[str]) -> str:
        name, cells = self._named[found["name"]]
        if found["line"]:
            return name + mark(*cells.place(int(found["line"])))
        if found["far"]:
            place = cells.place(int(found["far"]))
            return f'{name}", cell {place.cell}, line {place.line}'
        return name

    def _data(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._data(each) for each in value]
        if isinstance(value, str):
            return self._words(value)
        if not isinstance(value, dict):
            return value
        known = self._named.get(value["path"]) if isinstance(value.get("path"), str) else None
        if known is not None and isinstance(value.get("line"), int):
            place = known[1].place(value["line"])
            return {**value, "path": known[0], "cell": place.cell, "line": place.line}
        return {key: self._data(each) for key, each in value.items()}
