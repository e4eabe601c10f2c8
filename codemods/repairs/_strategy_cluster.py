"""What a program reads of TF_CONFIG, which names the workers of a cluster: on one device it is one.

https://www.tensorflow.org/tutorials/distribute/multi_worker_with_keras.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ..facts import Facts
from ..facts.facts import recorded
from ..program.node_fields import within

NAME = "TF_CONFIG"
_CALLS = ("os.environ.get", "os.getenv")
# The path inside of it, and what stands there for a program that is alone.
_COUNTED, _INDEX = ("cluster", "worker"), ("task", "index")


@recorded
def is_named(facts: Facts) -> bool:
    """Whether a program speaks of it at all; that is asked of each of its calls."""
    return NAME in facts.source.text


def reads(facts: Facts) -> Iterator[ast.AST]:
    """The places that read it; where it is set, or only looked for, nothing is read."""
    if is_named(facts):
        for node in facts.index.nodes(ast.Subscript):
            is_load = isinstance(node.ctx, ast.Load)
            if is_load and facts.name(node.value) == "os.environ" and _is_name(node.slice):
                yield node
        for call in facts.index.calls:
            if facts.name(call.func) in _CALLS and call.args and _is_name(call.args[0]):
                yield call


def of_cluster(facts: Facts, node: ast.expr) -> str | None:
    """`len(config["cluster"]["worker"])` is 1, `config["task"]["index"]` is 0."""
    if not is_named(facts):
        return None
    if isinstance(node, ast.Call) and facts.name(node.func) == "builtins.len" and node.args:
        return "1" if _path(facts, node.args[0]) == _COUNTED else None
    return "0" if isinstance(node, ast.Subscript) and _path(facts, node) == _INDEX else None


def read_for(facts: Facts, asked: Iterable[ast.expr]) -> set[ast.Assign]:
    """The statements that give it a name for nothing but to ask this of it."""
    inside = {inner for node in asked for inner in within(node)}
    found: set[ast.Assign] = set()
    for statement in facts.index.nodes(ast.Assign):
        target = statement.targets[0]
        if isinstance(target, ast.Name) and _is_config(facts, statement.value):
            loads = facts.index.loads.get(target.id, ())
            found |= {statement} if inside.issuperset(loads) else set()
    return found


def _path(facts: Facts, node: ast.expr) -> tuple[object, ...]:
    """The keys by which a part of it is read; nothing for what is no part of it."""
    keys: list[object] = []
    while isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        keys.append(node.slice.value)
        node = node.value
    made = facts.origins(node).only
    return tuple(reversed(keys)) if made is not None and _is_config(facts, made) else ()


def _is_config(facts: Facts, node: ast.AST) -> bool:
    """`json.loads(os.environ["TF_CONFIG"])`."""
    if not isinstance(node, ast.Call) or facts.name(node.func) != "json.loads" or not node.args:
        return False
    return node.args[0] in set(reads(facts))


def _is_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value == NAME
