"""How a broadcast is written: the flag, what is broadcast, and where the flag is made."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..facts.gradients.broadcast_records import Broadcast, Broadcasts, OptimizerState
from ..facts.gradients.paths import is_path
from ..facts.gradients.variables import ALL, AsGiven, OfPairs, Part, Sum, Unpacked, Variables
from ..facts.keras_version import is_keras_3
from ..facts.roles import Role
from ..facts.training.pattern import training_of
from ._new_code import fresh, tape_module, tf

if TYPE_CHECKING:
    from ..facts import Facts

Key = tuple[object, ...]
PAIRS = "grads_and_vars"
HELD_OR_PLAIN = "[{v} if isinstance({v}, {tf}.Variable) else {v}.value for {v} in {given}]"


class FlagLines:
    """The statements that make (or reset) flags, by the statement before or after which they go."""

    def __init__(self, facts: Facts, found: Broadcasts) -> None:
        self.before: dict[ast.stmt, list[str]] = {}
        self.after: dict[ast.stmt, list[str]] = {}
        self._facts, self._names = facts, flag_names(facts, found)
        self._made = f"{tf(facts)}.Variable(False, trainable=False)"
        for batch in found.batches:
            self._make(batch)
            self._set_back(batch)
        for application in found.applications:
            self._make(application)
        for application in found.applications:
            self._set_back(application)

    def _make(self, broadcast: Broadcast) -> None:
        flag, name = broadcast.flag, self._names[broadcast.key]
        for statement, holder in flag.after.items():
            _append(self.after, statement, f"{_attribute(holder, name)} = {self._made}\n")
        for statement in flag.before:
            _append(self.before, statement, f"{name} = {self._made}\n")

    def _set_back(self, broadcast: Broadcast) -> None:
        for statement in broadcast.resets:
            line = f"{flag(broadcast, self._names)}.assign(False)\n"
            model = sets_weights(statement)
            _append(self.after, statement, line if model is None else self._at_once(model))

    def _at_once(self, model: ast.expr) -> str:
        """The weights that a model has got are there: no step needs to be made with others."""
        is_held, v = is_keras_3(self._facts), fresh(self._facts, "v")
        variables = _held(v, _weights(model)) if is_held else f"{ast.unparse(model)}.variables"
        return f"{tape_module(self._facts)}.broadcast_variables({variables}, root_rank=0)\n"


def _append(lines: dict[ast.stmt, list[str]], statement: ast.stmt, line: str) -> None:
    present = lines.setdefault(statement, [])
    if line not in present:
        present.append(line)


def sets_weights(statement: ast.stmt) -> ast.expr | None:
    """The model that has all its weights set by a statement, `model.set_weights(kept)`."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    func = call.func if isinstance(call, ast.Call) else None
    is_set = isinstance(func, ast.Attribute) and func.attr == "set_weights" and is_path(func.value)
    return func.value if is_set else None  # type: ignore[union-attr]


# -- flags -------------------------------------------------------------------------------------


def flag_names(facts: Facts, found: Broadcasts) -> dict[Key, str]:
    """`broadcast_done` where there is one flag, else one that begins like its optimizer."""
    last = {b.key: _last_name(b) for b in (*found.applications, *found.batches)}
    names: dict[Key, str] = {}
    for key, name in last.items():
        same = [other for other in last if last[other] == name]
        base = "broadcast_done" if len(last) == 1 else f"{name}_broadcast_done"
        names[key] = fresh(facts, base + (f"_{same.index(key) + 1}" if len(same) > 1 else ""))
    return names


def _last_name(broadcast: Broadcast) -> str:
    return broadcast.flag.owner.rpartition(".")[2].rpartition(" ")[2].lstrip("_")


def flag(broadcast: Broadcast, names: dict[Key, str]) -> str:
    """The flag as the call sees it."""
    return _attribute(broadcast.flag.holder, names[broadcast.key])


def _attribute(holder: ast.expr | None, name: str) -> str:
    return name if holder is None else f"{ast.unparse(holder)}.{name}"


# -- what is broadcast -------------------------------------------------------------------------


def lines(facts: Facts, broadcast: Broadcast, flag: str) -> str:
    """The statements behind the call."""
    function = f"{tape_module(facts)}.broadcast_variables"
    calls = (_call(function, variables) for variables in _variables(facts, broadcast))
    return f"if not {flag}:\n" + "".join(calls) + f"    {flag}.assign(True)\n"


def _call(function: str, variables: str) -> str:
    """The lines of one broadcast; a choice of each variable's kind has a line of its own."""
    if " if " in variables:
        return f"    {function}(\n        {variables}, root_rank=0\n    )\n"
    return f"    {function}({variables}, root_rank=0)\n"


def _variables(facts: Facts, broadcast: Broadcast) -> Iterator[str]:
    """What is broadcast at once: all that optimizers train which step together, each once."""
    read = _of_keras_3 if is_keras_3(facts) else _of_keras_2
    team = (*broadcast.together, broadcast)
    yield from dict.fromkeys(variables for one in team for variables in read(facts, one))


def _of_keras_3(facts: Facts, broadcast: Broadcast) -> Iterator[str]:
    """Horovod broadcasts variables of TensorFlow; one of Keras 3 holds such a one."""
    v, applied = fresh(facts, "v"), broadcast.applied.variables
    if isinstance(applied, Part) and _is_whole_model(facts, applied):
        yield _held(v, _weights(applied.owner))
    else:
        yield HELD_OR_PLAIN.format(v=v, tf=tf(facts), given=spelled(facts, applied))
    yield from (_held(v, _weights(model)) for model in broadcast.asked)
    yield from _beside(broadcast)
    yield _held(v, state(broadcast.optimizer))


def _is_whole_model(facts: Facts, applied: Part) -> bool:
    is_model = facts.role(applied.owner) is Role.MODEL or training_of(facts).is_model(applied.owner)
    return is_model and applied.attribute in ALL


def _held(v: str, variables: str) -> str:
    return f"[{v}.value for {v} in {variables}]"


def _weights(model: ast.expr) -> str:
    """Its variables without the seeds of its random layers, which each worker has for itself."""
    return f"{ast.unparse(model)}.weights"


def _of_keras_2(facts: Facts, broadcast: Broadcast) -> Iterator[str]:
    yield spelled(facts, broadcast.applied.variables)
    yield from (f"{ast.unparse(model)}.variables" for model in broadcast.asked)
    yield from _beside(broadcast)
    yield state(broadcast.optimizer)


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
