"""Where a program chooses its GPU itself, and which statements serve nothing else."""

from __future__ import annotations

import ast

from ...library.tensorflow_names import LIST_DEVICES, MEMORY_GROWTH, SET_VISIBLE
from ...program.node_fields import within
from ..by_rank import depends_on_rank
from ..facts import Facts, recorded
from ..idle_sessions import idle_sessions, is_config, setting

# -- choices -------------------------------------------------------------------------------------
# Where a program chooses its GPU itself (seeds 000 and 001, `trans_S` on os.environ).

VARIABLE = "CUDA_VISIBLE_DEVICES"
_NONE = ("", "-1")  # these switch GPUs off
_SETTERS = ("os.environ.setdefault", "os.environ.__setitem__", "os.putenv")


def is_pinned_here(facts: Facts, statement: ast.stmt) -> bool:
    """Whether the statement makes a certain GPU the visible one, and does nothing else."""
    devices = chosen_devices(facts, statement)
    if devices is None or may_switch_off(devices):
        return False
    return not depends_on_rank(facts, devices)


def is_pinned_by_rank(facts: Facts) -> bool:
    """Whether each process takes the GPU of its own number already."""
    if not facts.has_horovod:
        return False
    listed = facts.attribute_stores.get("visible_device_list", ())  # of a session's config
    devices = [binding.value for _, binding in listed]
    devices += [chosen_devices(facts, statement) for statement in statements(facts)]
    return any(expr is not None and depends_on_rank(facts, expr) for expr in devices)


def is_device_list(facts: Facts, expr: ast.AST | None) -> bool:
    """Whether the expression lists the GPUs (or other devices) of the machine."""
    return isinstance(expr, ast.Call) and facts.name(expr.func) in LIST_DEVICES


def repeats_init(facts: Facts, statement: ast.stmt) -> bool:
    """`tf.config.experimental.set_memory_growth(gpu, True)`: D102 does it for all GPUs."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or facts.name(call.func) != MEMORY_GROWTH:
        return False
    if is_pinned_by_rank(facts):
        return False  # nothing repeats it
    enable = facts.argument(call, "enable", 1)
    return isinstance(enable, ast.Constant) and enable.value is True


def chosen_devices(facts: Facts, statement: ast.stmt) -> ast.expr | None:
    """What a statement makes the visible GPUs, None if it doesn't."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        return statement.value if _is_variable(facts, statement.targets[0]) else None
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call):
        return None
    name = facts.name(call.func)
    if name in _SETTERS and len(call.args) == 2 and _is_name_of_variable(call.args[0]):
        return call.args[1]
    if name == "os.environ.update":
        return _updated(call)
    if name in SET_VISIBLE and _is_gpu(facts.argument(call, "device_type", 1)):
        return facts.argument(call, "devices", 0)
    return None


def _is_variable(facts: Facts, target: ast.expr) -> bool:
    if not isinstance(target, ast.Subscript) or facts.name(target.value) != "os.environ":
        return False
    key = getattr(target.slice, "value", target.slice)
    return key == VARIABLE or _is_name_of_variable(key)


def _is_name_of_variable(node: object) -> bool:
    return isinstance(node, ast.Constant) and node.value == VARIABLE


def _updated(call: ast.Call) -> ast.expr | None:
    """`os.environ.update({"CUDA_VISIBLE_DEVICES": "0"})`, if it sets nothing else."""
    only = call.args[0] if len(call.args) == 1 and not call.keywords else None
    if isinstance(only, ast.Dict) and len(only.keys) == 1 and _is_name_of_variable(only.keys[0]):
        return only.values[0]
    if not call.args and len(call.keywords) == 1 and call.keywords[0].arg == VARIABLE:
        return call.keywords[0].value
    return None


def _is_gpu(kind: ast.expr | None) -> bool:
    return kind is None or (isinstance(kind, ast.Constant) and kind.value in ("GPU", None))


def may_switch_off(devices: ast.expr) -> bool:
    """Whether the value may mean no GPU at all: `"-1"`, `""`, `[]`, also as one of two choices."""
    if isinstance(devices, ast.IfExp):
        return may_switch_off(devices.body) or may_switch_off(devices.orelse)
    if isinstance(devices, ast.Constant):
        return devices.value in _NONE
    return isinstance(devices, (ast.List, ast.Tuple)) and not devices.elts


def means_devices(facts: Facts, name: str) -> bool:
    """Whether the module binds the name to nothing but its devices."""
    bindings = facts.bound(facts.module).get(name, [])
    return all(is_device_list(facts, _listed(facts, b.value)) for b in bindings)


def _listed(facts: Facts, value: ast.AST | None) -> ast.AST | None:
    """The call behind `gpus` in `for gpu in gpus`."""
    return facts.origins(value).only if isinstance(value, ast.Name) else value


@recorded
def statements(facts: Facts) -> list[ast.stmt]:
    """Every statement of the module."""
    return [node for node in within(facts.module) if isinstance(node, ast.stmt)]


# -- pinning removal -----------------------------------------------------------------------------
# What goes with a program's own choice of a GPU: the statements that serve nothing else.


@recorded
def pinning(facts: Facts) -> dict[ast.AST, bool]:
    """The statements to remove: the choices, and what served nothing else than them.

    False for those that go with the statement they stand in.
    """
    gone = _with_left_overs(facts, {s for s in statements(facts) if _chooses(facts, s)})
    inside = {inner for s in gone for inner in within(s) if inner is not s}
    ordered = [s for s in statements(facts) if s in gone]
    return {s: s not in inside for s in sorted(ordered, key=lambda s: s not in inside)}


def _chooses(facts: Facts, statement: ast.stmt) -> bool:
    if is_pinned_here(facts, statement) or repeats_init(facts, statement):
        return True
    idle = idle_sessions(facts)
    if not idle or not isinstance(statement, (ast.Assign, ast.Expr)):
        return False
    value = statement.value
    given = value.args[0] if isinstance(value, ast.Call) and value.args else value
    return (facts.origins(given).only if isinstance(given, ast.Name) else given) in idle


def _with_left_overs(facts: Facts, gone: set[ast.stmt]) -> set[ast.stmt]:
    """The statements with all that have no purpose without them, and so on."""
    more = gone
    while more:
        rest = (s for s in statements(facts) if s not in gone)
        more = {s for s in rest if _is_left_over(facts, s, gone)}
        gone = gone | more
    return gone


def _is_left_over(facts: Facts, statement: ast.stmt, gone: set[ast.stmt]) -> bool:
    """Whether a statement has no purpose once those in `gone` have gone."""
    if isinstance(statement, ast.Assign):
        is_unused = _is_unused_list(facts, statement, gone)
        return is_unused or _is_unused_config(facts, statement, gone)
    if not isinstance(statement, (ast.If, ast.For, ast.Try)):
        return False
    if gone.isdisjoint(statement.body) or not gone.issuperset(statement.body + statement.orelse):
        return False
    if isinstance(statement, ast.Try):  # nothing is left for the handlers to catch
        return not statement.finalbody
    if isinstance(statement, ast.For):
        return is_device_list(facts, statement.iter) or _only_looks(statement.iter)
    return _only_looks(statement.test) and not _is_elif(facts, statement)


def _is_unused_list(facts: Facts, statement: ast.Assign, gone: set[ast.stmt]) -> bool:
    """`gpus = tf.config.list_physical_devices("GPU")`, read by nothing but what goes."""
    target = statement.targets[0]
    if len(statement.targets) > 1 or not isinstance(target, ast.Name):
        return False
    if not is_device_list(facts, statement.value):
        return False
    uses = facts.index.loads.get(target.id, [])
    return bool(uses) and all(_goes(facts, use, gone) for use in uses)


def _is_unused_config(facts: Facts, statement: ast.Assign, gone: set[ast.stmt]) -> bool:
    """The configuration of a session that goes, and what is set in it."""
    target = statement.targets[0]
    while isinstance(target, ast.Attribute):
        target = target.value
    made = facts.origins(target).only if isinstance(target, ast.Name) else None
    value = statement.value if statement.targets == [target] else made
    if not isinstance(target, ast.Name) or not is_config(facts, value):
        return False
    uses = [use for use in facts.readers(target) if not setting(facts, use)]
    return bool(uses) and all(_goes(facts, use, gone) for use in uses)


def _goes(facts: Facts, node: ast.AST, gone: set[ast.stmt]) -> bool:
    return any(parent in gone for parent in facts.parents(node))


def _only_looks(test: ast.expr) -> bool:
    return not any(
        isinstance(node, (ast.Call, ast.NamedExpr, ast.Await)) for node in within(test)
    ) or _is_len(test)


def _is_len(test: ast.expr) -> bool:
    calls = [node for node in within(test) if isinstance(node, ast.Call)]
    return all(isinstance(call.func, ast.Name) and call.func.id == "len" for call in calls)


def _is_elif(facts: Facts, statement: ast.If) -> bool:
    parent = facts.parent(statement)
    return isinstance(parent, ast.If) and parent.orelse == [statement]


def unused_names(facts: Facts, gone: dict[ast.AST, bool]) -> dict[ast.AST, tuple[str, ...]]:
    """Names that only the removed statements used, by the import that binds them."""
    removed = {node for statement in gone for node in within(statement)}
    left: dict[ast.AST, tuple[str, ...]] = {}
    for statement in facts.module.body:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            names = (alias.asname or alias.name for alias in statement.names)
            unused = tuple(name for name in names if _is_unused(facts, name, removed))
            if unused:
                left[statement] = unused
    return left


def _is_unused(facts: Facts, name: str, removed: set[ast.AST]) -> bool:
    uses = [use for use in facts.index.loads.get(name, []) if isinstance(use, ast.Name)]
    return bool(uses) and all(use in removed for use in uses)
