"""Where Horovod is imported and started in a module (seeds 000 and 001, `trans_A` on imports)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from ..facts import Facts, recorded
from ..gradients.tapes import needs_tape_module, tape_module
from ..horovod import MODULES, TENSORFLOW, module_name
from ..scopes import FunctionNode
from ..training.pattern import Pattern, training_of
from .import_order import sorted_place
from .pinning import is_pinned_here
from .start import is_before_start, started_in, starts

_FRAMEWORKS = ("tensorflow", "keras", "tf_keras")
_IMPORTS = (ast.Import, ast.ImportFrom)
# Calls between imports that start nothing: seeds, warnings, loggers, backends of plots.
_HARMLESS = (
    "builtins. sys. os. warnings. logging. absl.logging. random. numpy. matplotlib. gc. re. "
    "pathlib. tensorflow.get_logger tensorflow.autograph.set_verbosity tensorflow.logging. "
    "tensorflow.compat.v1.logging."
)
_QUIET = tuple(_HARMLESS.split())


@recorded
def tensorflow_import(facts: Facts) -> ast.stmt | None:
    """The last import of TensorFlow or Keras in the leading imports: Horovod's goes behind it."""
    body = facts.module.body
    first = next((n for n, s in enumerate(body) if _imports_framework(s)), None)
    if first is None:
        return None
    inside = [s for s in body[first : _work_begins(facts, first)] if _imports_framework(s)]
    plain = [s for s in inside if isinstance(s, _IMPORTS)]
    return _last_on_line(body, (plain or inside)[-1])


class Lines(NamedTuple):
    """Source lines that belong before or after a statement."""

    before: str = ""
    after: str = ""
    # How many lines that other rules have inserted there stay between these and the statement.
    distance: int = 0


def horovod_place(facts: Facts, more: str = "") -> dict[ast.AST, Lines]:
    """Horovod's import at its sorted place, among unsorted imports behind TensorFlow's."""
    beside = tensorflow_import(facts)
    if beside is None:
        return {}
    place, is_before = sorted_place(facts, "horovod.tensorflow", beside) or (beside, False)
    line = _horovod_imports(facts) + more
    if not line:
        return {}
    return {place: Lines(before=line) if is_before else Lines(after=line)}


def _horovod_imports(facts: Facts) -> str:
    """Those that are missing, of the modules that the rules name."""
    if module_name(facts, *MODULES) is None:
        return _horovod_import(facts)
    lines = ""
    if needs_tape_module(facts) and module_name(facts, *TENSORFLOW) is None:
        lines += f"import horovod.tensorflow as {tape_module(facts)}\n"
    return lines


def _horovod_import(facts: Facts) -> str:
    """Keras has a Horovod of its own, which knows no gradient tape."""
    if training_of(facts).pattern is not Pattern.KERAS:
        return f"import horovod.tensorflow as {facts.hvd}\n"
    keras = f"import horovod.tensorflow.keras as {facts.hvd}\n"
    if not needs_tape_module(facts):
        return keras
    return f"import horovod.tensorflow as {facts.fresh('hvd_tf')}\n{keras}"


def tensorflow_place(facts: Facts) -> dict[ast.AST, Lines]:
    """`import tensorflow as tf` for modules that only import Keras, before that."""
    first = next((s for s in facts.module.body if _imports_framework(s)), None)
    if facts.has_tf or first is None:
        return {}
    place, is_before = sorted_place(facts, "tensorflow", first) or (first, True)
    line = f"import tensorflow as {facts.tf}\n"
    return {place: Lines(before=line) if is_before else Lines(after=line)}


def inserted_before(facts: Facts, statement: ast.stmt) -> int:
    """How many lines the imports of Horovod and TensorFlow put directly before a statement."""
    places = (horovod_place(facts), tensorflow_place(facts))
    return sum(found.get(statement, Lines()).before.count("\n") for found in places)


@recorded
def init_place(facts: Facts) -> ast.stmt | None:
    """The top-level statement behind which `hvd.init()` goes: nothing before it uses a device.

    That is the last of the leading imports, or a later setting of the environment.
    """
    if starts(facts):
        return started_in(facts)
    body = facts.module.body
    anchor = tensorflow_import(facts)
    if anchor is None:
        return None
    position = body.index(anchor)
    end = _work_begins(facts, position)
    leading = True
    for number in range(position + 1, end):
        statement = body[number]
        leading = leading and (_is_import(statement) or _is_quiet(facts, statement))
        if (leading and _is_import(statement)) or _sets_environment(facts, statement):
            position = number
    return _last_on_line(body, body[position])


def init_lines(facts: Facts, code: str) -> dict[ast.AST, Lines]:
    """Code for `init_place`, below the import of Horovod if that goes to the same place."""
    place = init_place(facts)
    if place is None:
        return {}
    imported = horovod_place(facts).get(place, Lines()).after
    return {place: Lines(after=code, distance=imported.count("\n"))}


def runs_before_init(facts: Facts, statement: ast.stmt) -> bool:
    """Whether it stands at module level and may run before `hvd.init()`."""
    if facts.function(statement) is not None:
        return bool(starts(facts)) and is_before_start(facts, statement)
    top = facts.top(statement)
    place = init_place(facts)
    return place is None or facts.block(top)[1] <= facts.block(place)[1]


def _work_begins(facts: Facts, start: int) -> int:
    """The first statement behind `start` that defines, uses TensorFlow or runs unknown blocks."""
    body = facts.module.body
    for number in range(start + 1, len(body)):
        if _is_work(facts, body[number]):
            return number
    return len(body)


def _is_work(facts: Facts, statement: ast.stmt) -> bool:
    if isinstance(statement, (*FunctionNode, ast.ClassDef)):
        return True
    if hasattr(statement, "body"):
        return not _is_import(statement)
    return any(_uses_tensorflow(facts, call) for call in _calls(statement))


def _uses_tensorflow(facts: Facts, call: ast.Call) -> bool:
    name = facts.name(call.func)
    if name is None:  # a function of this module may do anything
        return facts.callee(call) is not None
    return name.startswith("tensorflow") and not name.startswith(_QUIET)


def _is_import(statement: ast.stmt) -> bool:
    """An import, or a `try`, `if` or `with` around imports and settings, as fallbacks need them."""
    if isinstance(statement, _IMPORTS):
        return True
    inner = [node for node in ast.walk(statement) if isinstance(node, ast.stmt)]
    if isinstance(statement, (ast.Try, ast.If, ast.With)) and not _is_main(statement):
        simple = (*_IMPORTS, ast.Try, ast.If, ast.With, ast.Assign, ast.Pass, ast.Raise, ast.Expr)
        calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
        is_simple = all(isinstance(node, simple) for node in inner) and len(calls) <= len(inner)
        return is_simple and any(isinstance(node, _IMPORTS) for node in inner)
    return False


def _is_main(statement: ast.stmt) -> bool:
    test = getattr(statement, "test", None)
    return test is not None and any(getattr(n, "id", "") == "__name__" for n in ast.walk(test))


def _is_quiet(facts: Facts, statement: ast.stmt) -> bool:
    """A setting that may stand between imports."""
    if hasattr(statement, "body"):
        return False
    return all(_is_chained(call) or _is_harmless(facts, call) for call in _calls(statement))


def _is_harmless(facts: Facts, call: ast.Call) -> bool:
    name = facts.name(call.func) or ""
    return name.startswith(_QUIET) and name != "builtins.print"  # one line a worker


def _is_chained(call: ast.Call) -> bool:
    """`tf.get_logger().setLevel(…)`: the call that it is made on decides."""
    return isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Call)


def _sets_environment(facts: Facts, statement: ast.stmt) -> bool:
    """An environment variable that has to be set before the devices are looked at."""
    if hasattr(statement, "body") or is_pinned_here(facts, statement):
        return False
    return any(
        (facts.name(node) or "").startswith(("os.environ", "os.putenv"))
        for node in _stored(statement)
    )


def _stored(statement: ast.stmt) -> Iterator[ast.AST]:
    """What a statement assigns into, and the functions it calls for their effect."""
    if isinstance(statement, ast.Assign):
        yield from (t.value for t in statement.targets if isinstance(t, ast.Subscript))
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        yield statement.value.func


def _calls(statement: ast.stmt) -> Iterator[ast.Call]:
    """The calls that run with a simple statement; the bodies of lambdas do not."""
    stack: list[ast.AST] = [statement]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Call):
            yield node
        if not isinstance(node, ast.Lambda):
            stack.extend(ast.iter_child_nodes(node))


def _imports_framework(statement: ast.stmt) -> bool:
    """Whether a statement imports TensorFlow or Keras, a fallback in `try` or `if` included."""
    if isinstance(statement, (*FunctionNode, ast.ClassDef)) or _is_main(statement):
        return False
    return any(_is_framework_import(node) for node in ast.walk(statement))


def _is_framework_import(node: ast.AST) -> bool:
    if isinstance(node, ast.Import):
        return any(alias.name.split(".")[0] in _FRAMEWORKS for alias in node.names)
    if isinstance(node, ast.ImportFrom) and not node.level:
        return (node.module or "").split(".")[0] in _FRAMEWORKS
    return False


def _last_on_line(body: list[ast.stmt], statement: ast.stmt) -> ast.stmt:
    """`import a; import b` stays one line."""
    position = body.index(statement)
    while position + 1 < len(body) and body[position + 1].lineno == body[position].end_lineno:
        position += 1
    return body[position]
