"""Where a program chooses its GPU itself (seeds 000 and 001, `trans_S` on os.environ)."""

from __future__ import annotations

import ast

from ...program.node_fields import within
from ..by_rank import depends_on_rank
from ..facts import Facts, recorded

VARIABLE = "CUDA_VISIBLE_DEVICES"
_NONE = ("", "-1")  # these switch GPUs off
_SETTERS = ("os.environ.setdefault", "os.environ.__setitem__", "os.putenv")
_VISIBLE = (
    "tensorflow.config.set_visible_devices",
    "tensorflow.config.experimental.set_visible_devices",
)
_GROWTH = "tensorflow.config.experimental.set_memory_growth"
_DEVICES = (
    "tensorflow.config.list_physical_devices",
    "tensorflow.config.experimental.list_physical_devices",
    "tensorflow.config.get_visible_devices",
    "tensorflow.config.experimental.get_visible_devices",
)


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
    listed = facts.index.attribute_stores.get("visible_device_list", ())  # of a session's config
    devices = [binding.value for _, binding in listed]
    devices += [chosen_devices(facts, statement) for statement in statements(facts)]
    return any(expr is not None and depends_on_rank(facts, expr) for expr in devices)


def is_device_list(facts: Facts, expr: ast.AST | None) -> bool:
    """Whether the expression lists the GPUs (or other devices) of the machine."""
    return isinstance(expr, ast.Call) and facts.name(expr.func) in _DEVICES


def repeats_init(facts: Facts, statement: ast.stmt) -> bool:
    """`tf.config.experimental.set_memory_growth(gpu, True)`: D102 does it for all GPUs."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or facts.name(call.func) != _GROWTH:
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
    if name in _VISIBLE and _is_gpu(facts.argument(call, "device_type", 1)):
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
    bindings = facts.index.scopes[facts.module].bindings.get(name, [])
    return all(is_device_list(facts, _listed(facts, b.value)) for b in bindings)


def _listed(facts: Facts, value: ast.AST | None) -> ast.AST | None:
    """The call behind `gpus` in `for gpu in gpus`."""
    return facts.origins(value).only if isinstance(value, ast.Name) else value


@recorded
def statements(facts: Facts) -> list[ast.stmt]:
    """Every statement of the module."""
    return [node for node in within(facts.module) if isinstance(node, ast.stmt)]
