"""Models whose layers Keras runs one after another by itself, so that no loop stands anywhere.

`Sequential`, and functional models in which every layer takes what the one before gave.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...library.loops import HOLDS_CLASSES, INPUTS
from ...program.records import NamedTuple
from .any_loops import WHY
from .chained import calls_back, is_functional
from .layer_bodies import SEQUENTIAL, problems
from .layer_calls import Problem
from .layer_lines import FEWEST
from .layer_lists import elements
from .layer_loops import is_decided

if TYPE_CHECKING:
    from ..facts import Facts

MODEL = "tensorflow.keras.Model"
FEW = "so few layers are hardly worth it"
UNSEEN = "nobody can see all of its layers"
KEPT = "`{}` keeps the class of the model, and who loads it would need the new one"


class Chain(NamedTuple):
    """A model: `first` and `last` so many layers, which may not be run again, are left out."""

    call: ast.Call  # what makes it
    is_sequential: bool = True
    number: int = 0  # of its layers, 0: unknown
    first: int = 0
    last: int = 0
    repaired: tuple[Problem, ...] = ()
    wrong: str = ""


class Link(NamedTuple):
    """What makes a layer, or many of them, and what is in its way."""

    maker: ast.expr
    is_many: bool = False
    problems: tuple[Problem, ...] = ()

    @property
    def wrong(self) -> str:
        """Why it may not be run again."""
        found = (p for p in self.problems if not p.repair)
        return next((WHY[p.code].format(p.what) for p in found), "")


def chains(facts: Facts) -> Iterator[Chain]:
    """Every model that is made of layers in sight, and is no layer of another one."""
    if is_decided(facts):
        return
    kept = next(_keeps_class(facts), "")
    for call in facts.calls_of(SEQUENTIAL, MODEL):
        is_sequential = facts.name(call.func) == SEQUENTIAL
        if _is_part(facts, call) or not (is_sequential or is_functional(facts, call)):
            continue
        links = _links(facts, call) if is_sequential else _linked(facts, call)
        found = _chain(facts, Chain(call, is_sequential), links)
        yield found._replace(wrong=KEPT.format(kept)) if kept and not found.wrong else found


def _is_part(facts: Facts, call: ast.Call) -> bool:
    """Whether it is an element of a list, or an argument: a layer of something larger."""
    for parent in facts.parents(call):
        if isinstance(parent, ast.stmt):
            return False
        if isinstance(parent, (ast.List, ast.ListComp, ast.Tuple, ast.Call, ast.Dict)):
            return True
    return False


def _keeps_class(facts: Facts) -> Iterator[str]:
    """What writes down, or makes anew, models by the names of their classes."""
    for name in HOLDS_CLASSES:
        for use in facts.index.loads.get(name, ()):
            whole = use if name != "ModelCheckpoint" else facts.parent(use)
            weights = getattr(whole, "keywords", ())
            if not any(k.arg == "save_weights_only" and _is_true(k.value) for k in weights):
                yield name


def _is_true(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is True


# -- Sequential ---------------------------------------------------------------------------------


def _linked(facts: Facts, call: ast.Call) -> list[Link] | str:
    """What makes the layers of a functional model, in their order."""
    found = calls_back(facts, call)
    return found if isinstance(found, str) else [Link(*each) for each in found]


def _links(facts: Facts, call: ast.Call) -> list[Link] | str:
    """What makes the layers of a `Sequential`, in their order."""
    given = facts.argument(call, "layers", 0)
    if facts.has_hidden_arguments(call) or {k.arg for k in call.keywords} - {"layers", "name"}:
        return UNSEEN
    listed = _listed(facts, given) if isinstance(given, ast.expr) else []
    added = _added(facts, call)
    return UNSEEN if listed is None or added is None else [*listed, *added]


def _listed(facts: Facts, given: ast.expr) -> list[Link] | None:
    """The elements of a list; those of a comprehension are many."""
    parts: list[list[Link] | None]
    if isinstance(given, (ast.List, ast.Tuple)):
        parts = [_listed(facts, each) for each in given.elts]
    elif isinstance(given, ast.Starred):
        return _listed(facts, given.value)
    elif isinstance(given, ast.Call):
        parts = [[Link(given)]]
    elif isinstance(given, ast.ListComp):
        parts = [[Link(given.elt, is_many=True)]]
    elif isinstance(given, ast.BinOp) and isinstance(given.op, ast.Add):
        parts = [_listed(facts, given.left), _listed(facts, given.right)]
    elif isinstance(given, (ast.Name, ast.Attribute)):
        made = elements(facts, given)
        known = made is not None and [Link(each, is_many=True) for each in made]
        parts = [known or ([Link(given)] if made is None else None)]
    else:
        return None
    return None if None in parts else [each for part in parts for each in part or ()]


def _added(facts: Facts, call: ast.Call) -> list[Link] | None:
    """What `add` puts behind them; None if something may be added or taken out of sight."""
    found: list[Link] = []
    for use in facts.calls("add", "pop"):
        assert isinstance(use.func, ast.Attribute)
        to = facts.origins(use.func.value)
        if call in to.nodes:
            if use.func.attr == "pop" or to.only is not call or len(use.args) != 1:
                return None
            found.append(Link(use.args[0], is_many=facts.in_loop(use)))
        elif to.unknown and use.func.attr == "add":
            return None
    return found


# -- what is run again --------------------------------------------------------------------------


def _chain(facts: Facts, chain: Chain, links: list[Link] | str) -> Chain:
    if isinstance(links, str):
        return chain._replace(wrong=links)
    every = [each for each in links if not _is_input(facts, each.maker)]
    every = [each._replace(problems=tuple(problems(facts, each.maker))) for each in every]
    first, last = _longest(every)
    run, behind = every[first:last], len(every) - last
    if not (_is_known(every[:first]) and _is_known(every[last:])) or _weight(run) < FEWEST:
        wrong = next((each.wrong for each in every if each.wrong), FEW)
        return chain._replace(wrong=wrong)
    number = len(run) if _is_known(run) else 0
    repaired = tuple(dict.fromkeys(p for each in run for p in each.problems))
    return chain._replace(number=number, first=first, last=behind, repaired=repaired)


def _longest(links: Sequence[Link]) -> tuple[int, int]:
    """The bounds of the longest run of layers that may be run again."""
    best, begin = (0, 0), 0
    for number in range(len(links) + 1):
        if number == len(links) or links[number].wrong:
            if _weight(links[begin:number]) > _weight(links[slice(*best)]):
                best = begin, number
            begin = number + 1
    return best


def _weight(links: Sequence[Link]) -> int:
    return sum(FEWEST if each.is_many else 1 for each in links)


def _is_known(links: Sequence[Link]) -> bool:
    """Whether it is known how many layers these are."""
    return not any(each.is_many for each in links)


def _is_input(facts: Facts, maker: ast.expr) -> bool:
    return isinstance(maker, ast.Call) and facts.name(maker.func) in INPUTS
