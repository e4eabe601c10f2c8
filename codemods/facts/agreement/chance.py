"""Random numbers that nobody seeded: every worker draws its own."""

from __future__ import annotations

import ast
import re
from collections.abc import Hashable
from typing import TypeVar

from ...library.agreement import is_by_clock
from ...library.draws import (
    GENERATORS,
    NUMPY,
    PYTHON,
    SAMPLERS,
    STUDIES,
    SUGGESTIONS,
    TENSORFLOW,
)
from ...library.seeds import SEEDS
from ...program.domain import Domain, Operands
from ...program.node_fields import within
from ...program.origins import Kind, Origin
from ...syntax.agreed import is_agreed
from ..facts import Facts, recorded
from ..value_parts import ingredients

_DRAW = r"(?P<module>numpy\.random|random)\.(?!seed|default_rng|[A-Z])\w+$"
ALL_SEEDS = frozenset(SEEDS["tensorflow.keras.utils.set_random_seed"])
_NUMBERS = ("math.", "builtins.int", "builtins.float", "builtins.round", "builtins.str")
_RECKONED = (ast.BinOp, ast.AugAssign, ast.UnaryOp, ast.Compare)
_LATER = (ast.Lambda, ast.GeneratorExp)
_PARTS = (Kind.MEMBER, Kind.UNKNOWN)
Made = TypeVar("Made")


def draws(facts: Facts, node: ast.AST) -> bool:
    """Whether the call gives each worker a random number of its own."""
    if not isinstance(node, ast.Call):
        return False
    name = facts.name(node.func)
    drawn = re.match(_DRAW, name or "")
    if drawn is not None:
        return drawn["module"] not in seeded(facts) or is_too_early(facts, node, drawn["module"])
    return name is None and unseeded_generator(facts, node) is not None


def is_seeded(facts: Facts, call: ast.Call) -> bool:
    """Whether it draws numbers that all workers draw alike, or makes what does."""
    name = facts.name(call.func) or ""
    if name in GENERATORS:
        return _has_seed(facts, call)
    drawn = re.match(_DRAW, name)
    return drawn is not None and drawn["module"] in seeded(facts)


def unseeded_generator(facts: Facts, call: ast.Call) -> str | None:
    """What makes the generator of such a method: `default_rng()` begins anew in every process."""
    if not isinstance(call.func, ast.Attribute):
        return None
    return facts.program.value(_unseeded(facts), call.func.value)


@recorded
def _unseeded(facts: Facts) -> Domain[str | None]:
    """What makes the generator that a value may be, if nobody seeds it."""

    def create(origin: Origin, operands: Operands[str | None]) -> str | None:
        made = origin.node
        name = facts.name(made.func) if isinstance(made, ast.Call) else None
        is_open = isinstance(made, ast.Call) and name in GENERATORS and not _has_seed(facts, made)
        return name if is_open else None

    return Domain(None, None, _first, create, suppose=create)


def _first(a: Made | None, b: Made | None) -> Made | None:
    return a or b


def _has_seed(facts: Facts, made: ast.Call) -> bool:
    seed = facts.argument(made, "seed", 0)
    return not (seed is None or (isinstance(seed, ast.Constant) and seed.value is None))


@recorded
def seeded(facts: Facts) -> frozenset[str]:
    """The modules that are seeded somewhere; by a helper that sounds like it, all of them."""
    found: set[str] = set()
    for call, modules in _seeds(facts):
        found.update(() if _is_of_a_clock(facts, call) else modules)
    return frozenset(found)


def is_too_early(facts: Facts, draw: ast.Call, module: str) -> bool:
    """Whether a module draws for certain before any call seeds it: the seed is of what follows."""
    seeds = [call for call, modules in _seeds(facts) if module in modules]
    place = _place(facts, draw)
    places = [_place(facts, seed) for seed in seeds]
    return place is not None and bool(places) and all(p is not None and place < p for p in places)


def _place(facts: Facts, call: ast.Call) -> int | None:
    """Which statement of the program a call is a part of, None in functions, run who knows when."""
    return None if facts.function(call) is not None else _statements(facts).get(call)


@recorded
def _statements(facts: Facts) -> dict[ast.AST, int]:
    """The number of the outermost statement of each call."""
    found: dict[ast.AST, int] = {}
    for i, statement in enumerate(facts.module.body if facts.joined is None else ()):
        later = {n for node in within(statement) if isinstance(node, _LATER) for n in within(node)}
        calls = (n for n in within(statement) if isinstance(n, ast.Call) and n not in later)
        found.update(dict.fromkeys(calls, i))
    return found


def _is_of_a_clock(facts: Facts, seed: ast.Call) -> bool:
    """Whether a seed is another number in each process: `random.seed(time.time())`."""
    given = [*seed.args, *(k.value for k in seed.keywords)]
    calls = (n for each in given for n in ingredients(facts, each) if isinstance(n, ast.Call))
    return any(is_by_clock(facts.name(call.func) or "") for call in calls)


@recorded
def _seeds(facts: Facts) -> tuple[tuple[ast.Call, tuple[str, ...]], ...]:
    """The calls that seed modules, with these."""
    found: list[tuple[ast.Call, tuple[str, ...]]] = []
    for call in facts.index.calls:
        last: str = getattr(call.func, "attr", getattr(call.func, "id", ""))
        name = facts.name(call.func) or last
        if name in SEEDS:
            found += [(call, SEEDS[name])] if call.args or call.keywords else []
        elif "seed" in name.rpartition(".")[2].lower() and not name.startswith("tensorflow."):
            found.append((call, (NUMPY, PYTHON, TENSORFLOW)))
    return tuple(found)


def is_suggested(facts: Facts, node: ast.AST) -> bool:
    """Whether a study proposes it, and nothing makes the studies of all workers propose alike."""
    func = node.func if isinstance(node, ast.Call) else None
    is_asked = isinstance(func, ast.Attribute) and func.attr in SUGGESTIONS
    return is_asked and not _propose_alike(facts)


@recorded
def _propose_alike(facts: Facts) -> bool:
    """Whether samplers are seeded, and no study is kept where the workers would share it."""
    studies = facts.calls_of(*STUDIES)
    if any(facts.argument(study, "storage", 0) is not None for study in studies):
        return False
    made = (c for c in facts.index.calls if (facts.name(c.func) or "").startswith(SAMPLERS))
    return any(facts.argument(sampler, "seed") is not None for sampler in made)


def drawn(facts: Facts, expr: ast.AST) -> ast.AST | None:
    """The draw that a setting is, or is reckoned or picked with."""
    return facts.program.value(_drawn(facts), expr)


@recorded
def _drawn(facts: Facts) -> Domain[ast.AST | None]:
    """The draw behind a number: `10 ** rate`, `draw < 0.5`; not `len(x)` of random data."""

    def create(origin: Origin, operands: Operands[ast.AST | None]) -> ast.AST | None:
        node, step = origin.node, origin.name
        name = facts.name(node.func) if isinstance(node, ast.Call) else None
        is_reckoned = isinstance(node, _RECKONED)
        is_attribute = isinstance(step, tuple) and step[0] == "."
        is_element = origin.kind in _PARTS and step is not None and not is_attribute
        if not (is_reckoned or is_element or (name or "").startswith(_NUMBERS)):
            return None
        return next(filter(None, operands.of(origin)), None)

    def at(key: Hashable, found: ast.AST | None) -> ast.AST | None:
        if is_agreed(key):
            return None
        is_drawn = isinstance(key, ast.AST) and (draws(facts, key) or is_suggested(facts, key))
        return key if is_drawn else found  # type: ignore[return-value]

    return Domain(None, None, _first, create, suppose=create, at=at)
