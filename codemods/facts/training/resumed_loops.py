"""Loops that go on where files say, which each worker reads for itself: rank 0 tells how far.

`for epoch in range(start, 50)`: a worker that finds another file makes other steps than the others,
which then wait for it for ever.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from itertools import takewhile

from ...library.agreement import RANGES, READS
from ..agreement_domain import AGREES, Agreement
from ..facts import Facts, recorded
from ..input_files import is_of_inputs
from ..precedence import LOOPS
from ..roles import Role
from ..scopes import FunctionNode
from .epochs import is_alike, is_sent, lists_files
from .training_loops import trains

_VARIABLE = "tensorflow.Variable"
_OF_ARRAYS = ("astype", "reshape")
_PARSING = ("parse_args", "parse_known_args")
_RESTORES = ("restore", "restore_or_initialize", "read")


@recorded
def told_counts(facts: Facts) -> Mapping[ast.expr, tuple[ast.expr, ...]]:
    """By what a loop runs over: the numbers of its `range` or `take` that rank 0 has to tell."""
    found: dict[ast.expr, tuple[ast.expr, ...]] = {}
    for loop in facts.index.nodes(ast.For):
        count = _count(facts, loop) if trains(facts, loop) and _is_outermost(facts, loop) else None
        if count is not None:
            numbers = [*count.args, *(keyword.value for keyword in count.keywords)]
            told = tuple(n for n in numbers if is_of_files(facts, n) and not is_of_inputs(facts, n))
            others = [each for each in numbers if each not in told]
            if told and all(is_alike(facts, n) or is_of_inputs(facts, n) for n in others):
                found[loop.iter] = told
    return found


def _count(facts: Facts, loop: ast.For) -> ast.Call | None:
    """`range(…)` or `data.take(…)`, also in `tqdm(…)`; none where a tensor may say how far."""
    calls = (node for node in ast.walk(loop.iter) if isinstance(node, ast.Call))
    found = next((call for call in calls if _is_count(facts, call)), None)
    return found if found is not None and not _is_compiled(facts, loop) else None


def _is_count(facts: Facts, call: ast.Call) -> bool:
    if facts.name(call.func) in RANGES:
        return True
    is_taken = isinstance(call.func, ast.Attribute) and call.func.attr == "take"
    return is_taken and facts.role(call) is Role.DATASET


def may_be_negative(facts: Facts, number: ast.expr) -> bool:
    """Whether `take` is given a difference, and nothing says that it is at least zero."""
    call = facts.parent(number)
    is_taken = isinstance(call, ast.Call) and facts.name(call.func) not in RANGES
    made = [node for node in (number, *facts.origins(number).nodes) if isinstance(node, ast.expr)]
    bounds = (n for n in made if isinstance(n, ast.Call) and facts.name(n.func) == "builtins.max")
    is_named = facts.scope(number).find("max") is not None
    return is_taken and not is_named and not any(True for _ in bounds)


def _is_compiled(facts: Facts, loop: ast.For) -> bool:
    home = facts.function(loop)
    return home is not None and bool(getattr(home, "decorator_list", ()))


def _is_outermost(facts: Facts, loop: ast.For) -> bool:
    around = takewhile(lambda node: not isinstance(node, FunctionNode), facts.parents(loop))
    return not any(isinstance(node, LOOPS) for node in around)


def is_of_files(facts: Facts, expr: ast.expr) -> bool:
    """Whether it comes from files, wherever they lie, and nothing else makes it a worker's own.

    How many examples there are is no such number: all workers read the same.
    """
    known: set[ast.AST] = set()  # no number of a worker's own comes by these

    def is_end(node: ast.AST) -> bool:
        if _is_length(facts, node) or _is_option(facts, node):
            known.add(node)
        return node in known or reads_files(facts, node)

    parts = list(facts.program.ingredients(expr, is_end))
    parts = [n for n in parts if n not in known]
    if any(is_sent(facts, node) for node in parts):
        return False
    reads = [node for node in parts if reads_files(facts, node)]
    own = (node for node in parts if isinstance(node, ast.Call) and node not in reads)
    return bool(reads) and not any(_is_own(facts, call) for call in own)


def _is_length(facts: Facts, node: ast.AST) -> bool:
    """`x.shape`, and `len(x)` of an array that NumPy gives, or of one in its file."""
    if isinstance(node, ast.Attribute):
        return node.attr == "shape"
    if not isinstance(node, ast.Call) or facts.name(node.func) != "builtins.len" or not node.args:
        return False
    made = facts.origins(node.args[0])
    return made.complete and bool(made.nodes) and all(_is_array(facts, n) for n in made.nodes)


def _is_array(facts: Facts, node: ast.AST) -> bool:
    """What NumPy gives, also from one of its files: `np.load(path)["x"]`."""
    if isinstance(node, ast.Subscript):
        made = facts.origins(node.value)
        return made.complete and bool(made.nodes) and all(_is_call(facts, n) for n in made.nodes)
    return _is_call(facts, node)


def _is_call(facts: Facts, node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    is_method = isinstance(node.func, ast.Attribute) and node.func.attr in _OF_ARRAYS
    return is_method or (facts.name(node.func) or "").startswith("numpy.")


def _is_option(facts: Facts, node: ast.AST) -> bool:
    """`args.epochs` of a parser, where nothing is stored under that name, if under others."""
    if not isinstance(node, ast.Attribute):
        return False
    made = facts.origins(node.value)
    is_parsed = made.complete and all(
        isinstance(n, ast.Call) and getattr(n.func, "attr", "") in _PARSING for n in made.nodes
    )
    return bool(made.nodes) and is_parsed and node.attr not in _stored(facts)


@recorded
def _stored(facts: Facts) -> frozenset[str]:
    """The names of the attributes that the program sets."""
    attributes = facts.index.nodes(ast.Attribute)
    return frozenset(n.attr for n in attributes if isinstance(n.ctx, ast.Store))


def is_kept(facts: Facts, node: ast.AST) -> bool:
    """Whether it is a variable that a checkpoint puts back: `Checkpoint(epoch=epoch)`."""
    made = facts.origins(node).nodes if isinstance(node, (ast.Name, ast.Attribute)) else ()
    variables = {n for n in made if isinstance(n, ast.Call) and facts.name(n.func) == _VARIABLE}
    return bool(variables) and not variables.isdisjoint(_kept(facts))


@recorded
def _kept(facts: Facts) -> frozenset[ast.AST]:
    """What makes the variables that checkpoints hold, where one is restored."""
    if not any(True for _ in facts.calls(*_RESTORES)):
        return frozenset()
    given = (k.value for call in facts.creations(Role.CHECKPOINT) for k in call.keywords)
    return frozenset(node for value in given for node in facts.origins(value).nodes)


def is_counter_of_checkpoint(facts: Facts, node: ast.AST) -> bool:
    """`ckpt.step`, or the variable itself; a method of it is no number."""
    if is_kept(facts, node):
        return True
    is_held = isinstance(node, ast.Attribute) and facts.role(node.value) is Role.CHECKPOINT
    call = facts.parent(node)
    is_method = isinstance(call, ast.Call) and call.func is node
    return is_held and not is_method and any(True for _ in facts.calls(*_RESTORES))


def reads_files(facts: Facts, node: ast.AST) -> bool:
    """Whether it gives what stands in files, or was put back from them."""
    if is_counter_of_checkpoint(facts, node) or _is_latest(facts, node):
        return True
    if not isinstance(node, ast.Call):
        return False
    return lists_files(facts, node) or facts.name(node.func) in READS


def _is_latest(facts: Facts, node: ast.AST) -> bool:
    """`manager.latest_checkpoint`, the name of a file."""
    is_name = isinstance(node, ast.Attribute) and node.attr == "latest_checkpoint"
    return is_name and facts.role(node.value) is Role.MANAGER  # type: ignore[attr-defined]


def _is_own(facts: Facts, call: ast.Call) -> bool:
    """A clock, chance, or what a model computes of the worker's own share."""
    if facts.role(call.func) is Role.MODEL:
        return True
    is_named = facts.name(call.func) is not None
    return is_named and facts.program.value(AGREES, call.func) in (
        Agreement.READ,
        Agreement.DIFFERS,
    )
