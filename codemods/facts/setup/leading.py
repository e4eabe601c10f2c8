"""What may stand among the leading imports of a module, and where its work begins."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import children, within
from ..facts import Facts
from ..scopes import FunctionNode
from .pinning import is_pinned_here

_IMPORTS = (ast.Import, ast.ImportFrom)
# Calls between imports that start nothing: seeds, warnings, loggers, backends of plots.
_HARMLESS = (
    "builtins. sys. os. warnings. logging. absl.logging. random. numpy. matplotlib. gc. re. "
    "pathlib. tensorflow.get_logger tensorflow.autograph.set_verbosity tensorflow.logging. "
    "tensorflow.compat.v1.logging."
)
_QUIET = tuple(_HARMLESS.split())


def work_begins(facts: Facts, start: int) -> int:
    """The first statement behind `start` that defines, uses TensorFlow or runs unknown blocks."""
    body = facts.body
    for number in range(start + 1, len(body)):
        if _is_work(facts, body[number]):
            return number
    return len(body)


def _is_work(facts: Facts, statement: ast.stmt) -> bool:
    if isinstance(statement, (*FunctionNode, ast.ClassDef)):
        return True
    if hasattr(statement, "body"):
        return not is_import(statement)
    return any(_uses_tensorflow(facts, call) for call in _calls(statement))


def _uses_tensorflow(facts: Facts, call: ast.Call) -> bool:
    name = facts.name(call.func)
    if name is None:  # a function of this module may do anything
        return facts.callee(call) is not None
    return name.startswith("tensorflow") and not name.startswith(_QUIET)


def is_import(statement: ast.stmt) -> bool:
    """An import, or a `try`, `if` or `with` around imports and settings, as fallbacks need them."""
    if isinstance(statement, _IMPORTS):
        return True
    inner = [node for node in within(statement) if isinstance(node, ast.stmt)]
    if isinstance(statement, (ast.Try, ast.If, ast.With)) and not is_main(statement):
        simple = (*_IMPORTS, ast.Try, ast.If, ast.With, ast.Assign, ast.Pass, ast.Raise, ast.Expr)
        calls = [node for node in within(statement) if isinstance(node, ast.Call)]
        is_simple = all(isinstance(node, simple) for node in inner) and len(calls) <= len(inner)
        return is_simple and any(isinstance(node, _IMPORTS) for node in inner)
    return False


def is_main(statement: ast.stmt) -> bool:
    """Whether it asks for `__name__`, as `if __name__ == "__main__":` does."""
    test = getattr(statement, "test", None)
    return test is not None and any(getattr(n, "id", "") == "__name__" for n in within(test))


def is_quiet(facts: Facts, statement: ast.stmt) -> bool:
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


def sets_environment(facts: Facts, statement: ast.stmt) -> bool:
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
            stack.extend(children(node))
