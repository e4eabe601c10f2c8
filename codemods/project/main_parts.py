"""Modules that change for an entry, and can be started themselves: they start Horovod then."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from ..applying.places_to_edit import Found
from ..edits import At, Insert
from ..facts import Facts, training_of
from ..rewrites import Rewrite
from ..rewrites import all as every_rule
from ..rewrites._new_code import hvd, tape_module
from .closures import Closures
from .entries import main_uses
from .forms import Moved, speaks_of, text_of
from .joined import Joined
from .outline import is_main
from .places import ByFile

STARTING = "D102"


def main_starts(
    facts: Facts, joined: Joined, files: ByFile, found: Mapping[str, Sequence[Found]]
) -> list[Moved]:
    """`hvd.init()` in the main part of each module that runs there what asks Horovod by then.

    One that trains there is a program by itself.
    """
    return list(_starts(facts, joined, files, found))


def _starts(
    facts: Facts, joined: Joined, files: ByFile, found: Mapping[str, Sequence[Found]]
) -> Iterator[Moved]:
    name = hvd(facts)
    names = name, tape_module(facts)
    lines = {path: set(_lines(rules, names)) for path, rules in found.items()}
    trains: dict[str, set[int]] = {}
    for place, _ in training_of(facts).places:
        piece = joined.piece(place.lineno)
        trains.setdefault(piece.path, set()).add(place.lineno - piece.shift)
    closures = Closures(joined.project)
    for path, file in joined.files.items():
        if not lines or not any(map(is_main, file.tree.body)):
            continue
        if lines.keys().isdisjoint(closures.of(path)):  # to look at its program is dear
            continue
        mains = [s for s in files.own(path).body if isinstance(s, ast.If) and is_main(s)]
        project = joined.project._replace(entry=path, started=())
        if mains and main_uses(project, lines) and not main_uses(project, trains):
            yield Moved(path, _starting(), _start(files.own(path), mains[0].body[0], name))


def _start(facts: Facts, first: ast.stmt, name: str) -> At:
    """The line before the first of the part, and before a comment that belongs to that."""
    above = facts.source.lines[first.lineno - 2]
    blank = "\n" if above.lstrip().startswith("#") else ""
    return At(first, Insert(before=f"{name}.init()\n{blank}"))


def _lines(rules: Sequence[Found], names: Sequence[str]) -> Iterator[int]:
    """The lines at which code that speaks of Horovod is written."""
    for _, places in rules:
        for at in places.edits:
            if any(speaks_of(text_of(at.edit), name) for name in names):
                yield getattr(at.place, "lineno", 1)


def _starting() -> Rewrite:
    return next(rule for rule in every_rule() if rule.code == STARTING)
