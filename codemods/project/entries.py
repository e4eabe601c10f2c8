"""Questions about files as entries of a project: what starts, and what a program uses."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping

from .needed import Needed
from .reach import Reach
from .references import References
from .texts import Project


def uses(project: Project, path: str, lines: Collection[int]) -> bool:
    """Whether a program may run, or define, what stands at some of these lines of another file.

    Of its own file only what it does when it is started counts, not what importing it does.
    """
    reach = Reach(project)
    if path == project.entry:
        needed = Needed(reach, References(reach))
        return _stand_at(
            needed.when_started(reach.entry, len(project.calls)),
            lines,
        )
    file = reach.files.get(path)
    if file is None:
        return bool(reach.hidden)
    references = References(reach)
    if path in references.changed:
        return True
    return _stand_at(Needed(reach, references).body(file), lines)


def main_uses(project: Project, lines: Mapping[str, Collection[int]]) -> bool:
    """Whether what a file only does when it is started runs one of these lines of the files."""
    reach = Reach(project)
    found = Needed(reach, References(reach)).by_main(reach.entry)
    for file in (reach.entry, *reach.files.values()):
        if _stand_at((s for s in file.tree.body if s in found), lines.get(file.path, ())):
            return True
    return False


def _stand_at(statements: Iterable[ast.stmt], lines: Collection[int]) -> bool:
    work = [s for s in statements if not isinstance(s, (ast.Import, ast.ImportFrom))]
    return any(s.lineno <= line <= (s.end_lineno or s.lineno) for s in work for line in lines)
