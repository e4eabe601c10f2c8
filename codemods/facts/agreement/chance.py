"""Random numbers that nobody seeded: every worker draws its own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import partial

from ...library.draws import GENERATORS, NUMPY, PYTHON, TENSORFLOW
from ...program.domain import Domain, Operands
from ...program.node_fields import children
from ...program.origins import Origin
from ..facts import Facts, recorded
from ..ingredients import ingredients
from ..walks import reached

_DRAW = r"(?P<module>numpy\.random|random)\.(?!seed|default_rng|[A-Z])\w+$"
SEEDS = {
    "numpy.random.seed": (NUMPY,),
    "random.seed": (PYTHON,),
    "tensorflow.random.set_seed": (TENSORFLOW,),
    "tensorflow.compat.v1.set_random_seed": (TENSORFLOW,),
    "tensorflow.set_random_seed": (TENSORFLOW,),
    "tensorflow.keras.utils.set_random_seed": (NUMPY, PYTHON, TENSORFLOW),
}
ALL_SEEDS = frozenset(SEEDS["tensorflow.keras.utils.set_random_seed"])
_NUMBERS = ("math.", "builtins.int", "builtins.float", "builtins.round", "builtins.str")
_PICKS = frozenset(f"numpy.{name}" for name in ("where", "nonzero", "flatnonzero", "argwhere"))


def draws(facts: Facts, node: ast.AST) -> bool:
    """Whether the call gives each worker a random number of its own."""
    if not isinstance(node, ast.Call):
        return False
    name = facts.name(node.func)
    drawn = re.match(_DRAW, name or "")
    if drawn is not None:
        return drawn["module"] not in seeded(facts)
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


def _first(a: str | None, b: str | None) -> str | None:
    return a or b


def _has_seed(facts: Facts, made: ast.Call) -> bool:
    seed = facts.argument(made, "seed", 0)
    return not (seed is None or (isinstance(seed, ast.Constant) and seed.value is None))


@recorded
def seeded(facts: Facts) -> frozenset[str]:
    """The modules that are seeded somewhere; by a helper that sounds like it, all of them."""
    found: set[str] = set()
    for call in facts.index.calls:
        name = facts.name(call.func) or ast.unparse(call.func)
        if name in SEEDS:
            found.update(SEEDS[name] if call.args or call.keywords else ())
        elif "seed" in name.rpartition(".")[2].lower() and not name.startswith("tensorflow."):
            found.update((NUMPY, PYTHON, TENSORFLOW))
    return frozenset(found)


def chosen(facts: Facts, expr: ast.AST) -> Iterator[tuple[ast.Subscript, ast.AST]]:
    """Where chance says how many examples there are: `x[np.random.rand(len(x)) < 0.8]`.

    With the draw that says it.
    """
    for node in ingredients(facts, expr):
        if isinstance(node, ast.Subscript) and _is_mask(facts, node.slice):
            drawn = next((d for d in ingredients(facts, node.slice) if draws(facts, d)), None)
            if drawn is not None:
                yield node, drawn


def _is_mask(facts: Facts, index: ast.AST) -> bool:
    """Whether the index keeps some of the elements: a comparison says which."""
    return any(isinstance(node, ast.Compare) for node in reached([index], partial(_behind, facts)))


def _behind(facts: Facts, node: ast.AST) -> Iterator[ast.AST]:
    """`~mask`, `mask & other`, `np.where(mask)[0]`, `(mask, 0)`, a name for it."""
    yield from facts.origins(node).nodes
    if isinstance(node, (ast.UnaryOp, ast.BinOp, ast.Tuple)):
        yield from children(node)
    elif isinstance(node, ast.Subscript):  # an element of an array of numbers picks one example
        yield from filter(partial(_is_pick, facts), facts.origins(node.value).nodes)
    elif _is_pick(facts, node):
        yield from node.args[:1]  # type: ignore[attr-defined]


def _is_pick(facts: Facts, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and facts.name(node.func) in _PICKS


def drawn(facts: Facts, expr: ast.AST) -> ast.AST | None:
    """The draw that a setting is, or is reckoned or picked with."""
    ways = reached([expr], partial(_reckoned_with, facts))
    return next((node for node in ways if draws(facts, node)), None)


def _reckoned_with(facts: Facts, node: ast.AST) -> Iterator[ast.AST]:
    """`10 ** rate`, `int(units)`, `settings["rate"]`; not `len(x)` of random data."""
    yield from (origin.node for origin in facts.origins(node).items)
    if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.IfExp)):
        yield from children(node)
    elif isinstance(node, ast.Subscript):
        yield from _entries(facts, node)
    elif isinstance(node, ast.Call) and (facts.name(node.func) or "").startswith(_NUMBERS):
        yield from node.args


def _entries(facts: Facts, subscript: ast.Subscript) -> Iterator[ast.AST]:
    """What a dictionary may hold under this key."""
    key = subscript.slice.value if isinstance(subscript.slice, ast.Constant) else None
    for held in facts.origins(subscript.value).nodes:
        if isinstance(held, ast.DictComp):
            yield held.value
        if isinstance(held, ast.Dict):
            for name, value in zip(held.keys, held.values):
                if isinstance(name, ast.Constant) and name.value == key:
                    yield value
