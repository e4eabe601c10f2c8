"""A project without what cannot matter to training: of modules that only count, what is asked.

What a program is told from stays the same: a number that loops or many calls have made is some
number. Whoever finds that such a file has a part in the answer looks at the project as it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from ..program.records import NamedTuple
from .links import Definition, Links
from .numbers import Part
from .sketch import PLAIN, Sketch, sketch
from .starts import MADE
from .texts import Project
from .ways import Cannot

SUM = """\
def {name}({params}):
    return {made}
"""
LOOP = """\
def {name}({params}):
    {total} = {start}
    for {turn} in range({made}):
        {total} += {made}
    return {total}
"""


class Short(NamedTuple):
    """The project with shorter texts, and the paths of the modules that have them."""

    project: Project
    paths: frozenset[str]


def shortened(project: Project) -> Short | None:
    """The project with less text; None where each is needed whole."""
    sketches = dict(project.sketches)
    for path, text in project.texts.items():
        if path not in sketches:
            sketches[path] = sketch(text)
    try:
        links = Links(project.entry, sketches)
    except Cannot:
        return None
    if not links.modules:
        return None
    asked = _Asked(links)
    asked.open(path for path in links.imports.of if path not in links.modules)
    paths = links.modules - asked.opened
    new = {path: _text(project.texts[path], path, asked, sketches[path]) for path in paths}
    if not paths:
        return None
    return Short(project._replace(texts={**project.texts, **new}), frozenset(paths))


class _Asked:
    """The definitions that the other files ask for; a module that is asked for more is opened."""

    def __init__(self, links: Links) -> None:
        self.links = links
        self.opened: set[str] = set()
        self.of: dict[str, set[str]] = defaultdict(set)

    def open(self, paths: Iterable[str]) -> None:
        """Let these files be read as they are."""
        waiting: list[tuple[Definition, bool]] = []
        for path in paths:
            waiting += self.links.imported_by(path)
        while waiting:
            (path, name), is_handed = waiting.pop()
            if path in self.opened or (name in self.of[path] and not is_handed):
                continue
            found = self.links.find((path, name))
            known = self.links.known.get(found) if found is not None else None
            if found is None or known is None or (is_handed and known.part.is_function):
                self.opened.add(path)
                waiting += self.links.imported_by(path)
                continue
            self.of[path].add(name)
            waiting += ((each, is_handed) for each in self._behind((path, name), found))

    def _behind(self, definition: Definition, found: Definition) -> Iterator[Definition]:
        path, name = definition
        if found != definition:
            yield self.links.names[path][name]
        elif not self.links.is_short(found):
            part = self.links.known[found].part
            for each in (*part.reads, *part.calls):
                if self.links.find((path, each)) in self.links.known:
                    yield path, each


def _text(text: str, path: str, asked: _Asked, of: Sketch) -> str:
    """What is asked for of a module, behind what that imports."""
    lines, names = text.split("\n"), asked.of[path]
    if not names:
        return ""
    found = list(_imports(of, asked.links.names[path], names))
    for part in of.parts:
        if part.name not in names:
            continue
        if asked.links.is_short((path, part.name)):
            start = asked.links.start((path, part.name))
            found.append(_stub(part, start or MADE))
        else:
            found += [line + "\n" for line in lines[part.first - 1 : part.last]]
    return "".join(found)


def _imports(of: Sketch, known: dict[str, Definition], names: set[str]) -> Iterator[str]:
    for each in of.imports:
        if each.level == PLAIN:
            yield f"import {', '.join(map(_named, each.names, each.bound))}\n"
            continue
        kept = [
            _named(n, b) for n, b in zip(each.names, each.bound) if not known[b][0] or b in names
        ]
        if kept:
            yield f"from {'.' * each.level}{each.module} import {', '.join(kept)}\n"


def _named(name: str, bound: str) -> str:
    return name if name == bound else f"{name} as {bound}"


def _stub(part: Part, start: str) -> str:
    """A function that gives what another one does, for all that is known: a number."""
    params, made = ", ".join(part.params), " + ".join(part.params)
    if start == MADE:
        return SUM.format(name=part.name, params=params, made=f"{made} + 2")
    total, turn = "total", "turn"
    while {total, turn} & {*part.params, part.name}:
        total, turn = f"{total}_", f"{turn}_"
    given = {"start": start, "total": total, "turn": turn, "made": made}
    return LOOP.format(name=part.name, params=params, **given)
