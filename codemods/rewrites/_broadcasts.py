"""How a broadcast is written: the flag, what is broadcast, and where the flag is made."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..facts.gradients.applied_variables import (
    ALL,
    AsGiven,
    OfPairs,
    Part,
    Sum,
    Unpacked,
    Variables,
)
from ..facts.gradients.broadcast_flags import Broadcast, Broadcasts, OptimizerState
from ..facts.gradients.trained_models import holds_words
from ..facts.keras_version import is_keras_3
from ..facts.roles import Role
from ..facts.training.pattern import training_of
from ._new_code import fresh, tape_module, tf, weakref

if TYPE_CHECKING:
    from ..facts import Facts

Key = tuple[object, ...]
_PLAIN = re.compile(r"\[[\w.]+(?:, [\w.]+)*\]")  # a list of names
FLAG, FLAGS = "broadcast_flag", "broadcast_flags"
PAIRS = "grads_and_vars"
VARIABLES = "[{v} for {v} in {given} if isinstance({v}, {tf}.Variable)]"
BY_OBJECTS = """\
{flags} = {{}}


def {flag}(*trained):
    \"\"\"Whether all workers have these as worker 0 has them: each model with its optimizer.\"\"\"
    key = tuple(map({weakref}.ref, trained))
    if key not in {flags}:
        {flags}[key] = {tf}.Variable(False, trainable=False)
    return {flags}[key]
"""
HELD_OR_PLAIN = "[{v} if isinstance({v}, {tf}.Variable) else {v}.value for {v} in {given}]"


# -- flags -------------------------------------------------------------------------------------


def flag_names(facts: Facts, found: Broadcasts) -> dict[Key, str]:
    """`broadcast_done` where there is one flag, else one that begins like its optimizer."""
    every = (*found.applications, *found.batches)
    last = {b.key: _last_name(b) for b in every if not b.flag.keys}
    names: dict[Key, str] = {}
    for key, name in last.items():
        same = [other for other in last if last[other] == name]
        base = "broadcast_done" if len(last) == 1 else f"{name}_broadcast_done"
        names[key] = fresh(facts, base + (f"_{same.index(key) + 1}" if len(same) > 1 else ""))
    return names


def _last_name(broadcast: Broadcast) -> str:
    return broadcast.flag.owner.rpartition(".")[2].rpartition(" ")[2].lstrip("_")


def flag(facts: Facts, broadcast: Broadcast, names: dict[Key, str]) -> str:
    """The flag as the call sees it."""
    if broadcast.flag.keys:
        return f"{fresh(facts, FLAG)}({', '.join(map(ast.unparse, broadcast.flag.keys))})"
    return attribute_of(broadcast.flag.holder, names[broadcast.key])


def attribute_of(holder: ast.expr | None, name: str) -> str:
    return name if holder is None else f"{ast.unparse(holder)}.{name}"


def by_objects(facts: Facts) -> str:
    """The function that gives each model with its optimizer a flag, and forgets no object's."""
    flag, flags = fresh(facts, FLAG), fresh(facts, FLAGS)
    return BY_OBJECTS.format(flag=flag, flags=flags, tf=tf(facts), weakref=weakref(facts))


# -- what is broadcast -------------------------------------------------------------------------


def lines(facts: Facts, broadcast: Broadcast, flag: str) -> str:
    """The statements behind the call."""
    function = f"{tape_module(facts)}.broadcast_variables"
    calls = (call_of(function, variables) for variables in variables_of(facts, broadcast))
    return f"if not {flag}:\n" + "".join(calls) + f"    {flag}.assign(True)\n"


def call_of(function: str, variables: str) -> str:
    """The lines of one broadcast; a choice of each variable's kind has a line of its own."""
    if " if " in variables:
        return f"    {function}(\n        {variables}, root_rank=0\n    )\n"
    return f"    {function}({variables}, root_rank=0)\n"


def variables_of(facts: Facts, broadcast: Broadcast, with_optimizer: bool = True) -> Iterator[str]:
    """What is broadcast at once: all that optimizers train which step together, each once."""
    read = _of_keras_3 if is_keras_3(facts) else _of_keras_2
    found: dict[str, None] = {}
    for one in (*broadcast.together, broadcast):
        *trained, optimizers = read(facts, one)
        found.update(dict.fromkeys([*trained, optimizers] if with_optimizer else trained))
    yield from _together(list(found))


def _together(given: list[str]) -> list[str]:
    """The same with one list of what stands in several: `[slope, bias]`."""
    lists = [text for text in given if _PLAIN.fullmatch(text)]
    if len(lists) < 2:
        return given
    held = dict.fromkeys(each for text in lists for each in text[1:-1].split(", "))
    whole = f"[{', '.join(held)}]"
    return [whole if text == lists[0] else text for text in given if text not in lists[1:]]


def _of_keras_3(facts: Facts, broadcast: Broadcast) -> Iterator[str]:
    """Horovod broadcasts variables of TensorFlow; one of Keras 3 holds such a one."""
    v, applied = fresh(facts, "v"), broadcast.applied.variables
    if isinstance(applied, Part) and _is_whole_model(facts, applied):
        yield held(v, weights_of(applied.owner))
    else:
        yield HELD_OR_PLAIN.format(v=v, tf=tf(facts), given=spelled(facts, applied))
    yield from (held(v, weights_of(model)) for model in broadcast.asked)
    yield from _beside(broadcast)
    yield held(v, state(broadcast.optimizer))


def _is_whole_model(facts: Facts, applied: Part) -> bool:
    is_model = facts.role(applied.owner) is Role.MODEL or training_of(facts).is_model(applied.owner)
    return is_model and applied.attribute in ALL


def held(v: str, variables: str) -> str:
    return f"[{v}.value for {v} in {variables}]"


def weights_of(model: ast.expr) -> str:
    """Its variables without the seeds of its random layers, which each worker has for itself."""
    return f"{ast.unparse(model)}.weights"


def _of_keras_2(facts: Facts, broadcast: Broadcast) -> Iterator[str]:
    applied = broadcast.applied.variables
    is_whole = isinstance(applied, Part) and applied.attribute in ALL
    yield of_model(facts, applied.owner, applied.attribute) if is_whole else spelled(facts, applied)  # type: ignore[union-attr]
    yield from (of_model(facts, model, "variables") for model in broadcast.asked)
    yield from _beside(broadcast)
    yield state(broadcast.optimizer)


def of_model(facts: Facts, model: ast.expr, attribute: str) -> str:
    """Its variables without the tables of words, which are none of TensorFlow."""
    given = f"{ast.unparse(model)}.{attribute}"
    if not holds_words(facts, model):
        return given
    return VARIABLES.format(v=fresh(facts, "v"), tf=tf(facts), given=given)


def _beside(broadcast: Broadcast) -> Iterator[str]:
    """The variables that nothing trains: a list of them alone is written by its name."""
    beside = broadcast.beside
    if isinstance(beside, ast.List):
        only = beside.elts[0] if len(beside.elts) == 1 else beside
        yield ast.unparse(only.value if isinstance(only, ast.Starred) else beside)


def state(optimizer: OptimizerState) -> str:
    """The variables of an optimizer."""
    path = ast.unparse(optimizer.holder) + (".optimizer" if optimizer.is_models else "")
    return f"{path}.variables" + ("()" if optimizer.is_method else "")


def spelled(facts: Facts, variables: Variables) -> str:
    """The code that reads variables again; pairs without a name get that of the argument."""
    if isinstance(variables, AsGiven):
        return ast.unparse(variables.expr)
    if isinstance(variables, Part):
        return f"{ast.unparse(variables.owner)}.{variables.attribute}"
    if isinstance(variables, Sum):
        return f"{spelled(facts, variables.left)} + {spelled(facts, variables.right)}"
    if isinstance(variables, Unpacked):
        return f"*{spelled(facts, variables.inner)}"
    if isinstance(variables, OfPairs):
        variable = fresh(facts, "variable")
        pairs = fresh(facts, PAIRS) if variables.name is None else variables.name.id
        return f"[{variable} for _, {variable} in {pairs}]"
    return f"[{', '.join(spelled(facts, part) for part in variables.parts)}]"
