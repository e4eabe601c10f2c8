"""What a statement evaluates and binds, and whether it would mean the same in another place."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Union

from ...library.array_names import NEW_CONTAINERS
from ...library.purity import OF_NUMBERS, OF_TEXTS
from ...program.bindings import Binding
from ...program.node_fields import children, within
from ...program.parts import Function, FunctionNode
from ...program.versions import EACH
from ..facts import Facts

# -- evaluation ----------------------------------------------------------------------------------
# What a statement or an expression evaluates, and what it binds.

Bound = Union[ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign]


def changes_parameter(statement: ast.stmt, function: Function) -> bool:
    """`rows += [1]` changes the list that the caller passed as `rows`."""
    args = function.args
    own = {a.arg for a in [*args.posonlyargs, *args.args, *args.kwonlyargs]}
    changed = (node.target for node in within(statement) if isinstance(node, ast.AugAssign))
    return any(isinstance(target, ast.Name) and target.id in own for target in changed)


def evaluated(expr: ast.AST, lambdas: bool = True) -> list[ast.AST]:
    """The nodes of an expression; bodies of lambdas count as evaluated, for they may be called."""
    found, stack = [], [expr]
    while stack:
        node = stack.pop()
        found.append(node)
        if lambdas or not isinstance(node, ast.Lambda):
            stack.extend(children(node))
    return found


def arguments_of(call: ast.Call) -> list[ast.expr]:
    """The values that a call is given, in order."""
    return [*call.args, *(k.value for k in call.keywords)]


def targets(node: Bound) -> list[ast.AST]:
    """What a statement binds or changes, part by part."""
    targets: list[ast.AST] = []
    if isinstance(node, ast.Assign):
        targets += node.targets
    elif not isinstance(node, ast.Expr):
        targets.append(node.target)
    return [name for target in targets for name in names_of(target)]


def names_of(target: ast.AST) -> list[ast.AST]:
    """The parts of a target: `a, (b, *c)` has three."""
    if isinstance(target, (ast.Tuple, ast.List)):
        return [name for element in target.elts for name in names_of(element)]
    return [target.value] if isinstance(target, ast.Starred) else [target]


# -- nested blocks -------------------------------------------------------------------------------
# The blocks of a compound statement, and whether its `else` is an `elif`.


def is_elif_chain(statement: ast.If) -> bool:
    """Whether the `else` part is an `elif`: it begins where the `if` does, `else: if` is deeper."""
    inner = statement.orelse[0] if len(statement.orelse) == 1 else None
    return isinstance(inner, ast.If) and inner.col_offset == statement.col_offset


def blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks directly inside of a compound statement."""
    for field in ("body", "orelse", "finalbody"):
        block = getattr(statement, field, None)
        if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
            yield block
    for part in [*getattr(statement, "handlers", []), *getattr(statement, "cases", [])]:
        yield part.body


# -- confined names ------------------------------------------------------------------------------
# Which names that some statements bind are used elsewhere as well, and which stay inside.

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)


def is_rebound_elsewhere(facts: Facts, name: ast.Name) -> bool:
    """Whether a call may change what a name means: some function declares it global or nonlocal."""
    return any(scope.declares(name.id) for scope in facts.index.scopes.of.values())


def is_own_container(facts: Facts, expr: ast.AST, inside: ast.AST) -> bool:
    """Whether a name is that of a list, dictionary or array which is made new in there alone."""
    bound = facts.bindings(expr)
    if not bound or not all(b.kind == "assign" and _is_new(facts, b.part) for b in bound):
        return False
    nodes = {*within(inside)}
    return all(binding.node in nodes for binding in bound)


def _is_new(facts: Facts, value: ast.AST | None) -> bool:
    if isinstance(value, ast.BinOp):  # [0] * n
        return isinstance(value.op, ast.Mult) and isinstance(value.left, ast.List)
    if isinstance(value, ast.Call):
        return facts.name(value.func) in NEW_CONTAINERS
    return isinstance(value, _DISPLAYS)


def stays_inside(
    facts: Facts, statements: Sequence[ast.stmt], hoisted: Sequence[ast.expr] = ()
) -> bool:
    """Whether no other code reads what these statements of one block bind.

    What `hoisted` expressions bind, `print((n := len(a)))`, everybody has: they go in front.
    """
    inside = {node for statement in statements for node in within(statement)}
    binding = inside - {node for expr in hoisted for node in within(expr)}
    bound = {n.id for n in binding if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return all(
        use in inside or _is_bound_nearer(facts, use, name, statements)
        for name in bound
        for use in facts.index.loads.get(name, [])
        if isinstance(use, ast.Name)
        and facts.scope(use).find(name) is facts.scope(statements[0]).find(name)
    )


def _is_bound_nearer(facts: Facts, use: ast.AST, name: str, others: Sequence[ast.stmt]) -> bool:
    """Whether the use reads a binding on its own way there, which always runs before it.

    `others` end the search: they bind it themselves, and what stands before them comes too early.
    """
    child: ast.AST = use
    for parent in facts.parents(use):
        if isinstance(parent, FunctionNode):
            return False
        if _binds_for_body(parent, child, name):
            return True
        if isinstance(parent, _LOOPS) and others[0] in within(parent):
            return False  # the next round reads what this one bound
        for earlier in _before(parent, child):
            if earlier in others:
                return False
            if _binds(earlier, name):
                return True
        child = parent
    return False


def _binds_for_body(parent: ast.AST, child: ast.AST, name: str) -> bool:
    """`with … as name:` and `for name in …:` bind for the statements inside."""
    if not isinstance(child, ast.stmt) or child not in getattr(parent, "body", ()):
        return False
    if isinstance(parent, (ast.With, ast.AsyncWith)):
        return any(_has(item.optional_vars, name) for item in parent.items if item.optional_vars)
    return isinstance(parent, (ast.For, ast.AsyncFor)) and _has(parent.target, name)


def _before(parent: ast.AST, child: ast.AST) -> Iterator[ast.stmt]:
    """The statements before `child` in its block, the nearest first."""
    for field in ("body", "orelse", "finalbody"):
        block = getattr(parent, field, None)
        if isinstance(block, list) and child in block:
            yield from reversed(block[: block.index(child)])


def _binds(statement: ast.stmt, name: str) -> bool:
    """A plain assignment, a `with` or an import: it binds whenever it runs."""
    if isinstance(statement, ast.Assign):
        return any(_has(target, name) for target in statement.targets)
    if isinstance(statement, ast.With):
        return any(_has(item.optional_vars, name) for item in statement.items if item.optional_vars)
    return (
        isinstance(statement, ast.AnnAssign)
        and statement.value is not None
        and _has(statement.target, name)
    )


def _has(target: ast.AST, name: str) -> bool:
    if isinstance(target, (ast.Tuple, ast.List)):
        return any(_has(element, name) for element in target.elts)
    return isinstance(target, ast.Name) and target.id == name


# -- steady --------------------------------------------------------------------------------------
# Which expressions mean the same before and after what is moved in front of their statement.

_COUNTING = {"builtins.range": (EACH,), "builtins.enumerate": (EACH, 0)}  # where the number is
_PARTS = (
    ast.Constant,
    ast.BinOp,
    ast.UnaryOp,
    ast.FormattedValue,
    ast.JoinedStr,
    ast.Tuple,
)


def is_steady(facts: Facts, value: ast.expr, statement: ast.stmt) -> bool:
    """Whether it means the same before and after what is hoisted behind it has run."""
    if isinstance(value, ast.Name):
        rebinds = (n.target.id for n in within(statement) if isinstance(n, ast.NamedExpr))
        return not is_rebound_elsewhere(facts, value) and value.id not in rebinds
    if isinstance(value, ast.Call):
        return _is_path(facts, value, statement)
    is_module = isinstance(value, ast.Attribute) and facts.name(value) is not None
    return is_module or isinstance(value, ast.Constant)


def is_settled(facts: Facts, part: ast.AST, statement: ast.stmt) -> bool:
    """The same of what is computed of constants and of numbers that count: nobody changes those."""
    if isinstance(part, ast.Name):
        return is_steady(facts, part, statement) and _counts(facts, part)
    if isinstance(part, ast.Call):
        is_known = facts.name(part.func) in OF_NUMBERS or _is_format(part.func)
        return is_known and all(is_settled(facts, a, statement) for a in arguments_of(part))
    is_plain = isinstance(part, _PARTS)
    return is_plain and all(is_settled(facts, each, statement) for each in children(part))


def _is_format(func: ast.expr) -> bool:
    """`"{}".format`."""
    is_method = isinstance(func, ast.Attribute) and func.attr == "format"
    return is_method and isinstance(func.value, ast.Constant)  # type: ignore[attr-defined]


def _counts(facts: Facts, name: ast.Name) -> bool:
    """Whether it is a number of a loop, `for epoch in range(9)`, or written as one."""
    bound = facts.bindings(name)
    return bool(bound) and all(_is_number(facts, binding) for binding in bound)


def _is_number(facts: Facts, binding: Binding) -> bool:
    value = binding.value
    if binding.kind == "for" and isinstance(value, ast.Call):
        return _COUNTING.get(facts.name(value.func) or "") == binding.path
    given = value.value if isinstance(value, ast.AugAssign) else binding.part
    is_assigned = binding.kind in ("assign", "aug") and isinstance(given, ast.Constant)
    return is_assigned and isinstance(given.value, (int, float))  # type: ignore[union-attr]


def _is_path(facts: Facts, call: ast.Call, statement: ast.stmt) -> bool:
    """`os.path.join(args.out, "a.npy")`: of texts, which nobody changes in place."""
    return facts.name(call.func) in OF_TEXTS and all(
        is_steady(facts, each, statement) or _is_setting(facts, each, statement)
        for each in arguments_of(call)
    )


def _is_setting(facts: Facts, value: ast.expr, statement: ast.stmt) -> bool:
    """`args.out`, which the program sets nowhere."""
    if not isinstance(value, ast.Attribute) or value.attr in facts.attribute_stores:
        return False
    return isinstance(value.value, ast.Name) and is_steady(facts, value.value, statement)
