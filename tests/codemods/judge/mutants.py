"""Results of the rules, each broken in one place: what the judge has to convict.

An operator takes the text of a result and yields broken ones. All of them are wrong on two workers
or more, but for those that the judge's table of equivalent mutants explains.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Callable

Operator = Callable[["Text"], Iterator[str]]
OPERATORS: dict[str, Operator] = {}


class Text:
    """A text with its tree, and ways to change it in one place."""

    def __init__(self, text: str) -> None:
        self.text, self.tree = text, ast.parse(text)
        self._lines = text.splitlines(keepends=True)
        starts = [0]
        for line in self._lines:
            starts.append(starts[-1] + len(line))
        self._starts = starts
        self.nodes = list(ast.walk(self.tree))
        self.parents = {child: node for node in self.nodes for child in ast.iter_child_nodes(node)}

    def _offset(self, line: int, column: int) -> int:
        before = self._lines[line - 1].encode()[:column].decode()
        return self._starts[line - 1] + len(before)

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Where a node begins and ends."""
        begin = self._offset(node.lineno, node.col_offset)  # type: ignore[attr-defined]
        end = self._offset(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]
        return begin, end

    def segment(self, node: ast.AST) -> str:
        """The text of a node."""
        begin, end = self.span(node)
        return self.text[begin:end]

    def replaced(self, node: ast.AST, by: str) -> str:
        """The text with another one in place of a node."""
        begin, end = self.span(node)
        return self.text[:begin] + by + self.text[end:]

    def without(self, statement: ast.stmt) -> str:
        """The text with `pass` in place of a statement."""
        return self.replaced(statement, "pass")

    def doubled(self, statement: ast.stmt) -> str:
        """The text with a statement twice."""
        indent = " " * statement.col_offset
        return self.replaced(
            statement, f"{self.segment(statement)}\n{indent}{self.segment(statement)}"
        )

    def guarded(self, statement: ast.stmt, hvd: str) -> str:
        """The text with a statement for rank 0 alone."""
        indent = " " * statement.col_offset
        body = self.segment(statement).replace("\n", "\n    ")
        return self.replaced(statement, f"if {hvd}.rank() == 0:\n{indent}    {body}")

    def calls(self, *members: str) -> Iterator[ast.Call]:
        """The calls of these attributes, whatever stands before the dot."""
        for node in self.nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                if node.func.attr in members:
                    yield node

    def statement(self, node: ast.AST) -> ast.stmt:
        """The statement of a node."""
        while not isinstance(node, ast.stmt):
            node = self.parents[node]
        return node

    @property
    def hvd(self) -> str:
        """The name of Horovod."""
        imports = [n for n in self.nodes if isinstance(n, ast.Import)]
        names = [a.asname for n in imports for a in n.names if a.name.startswith("horovod")]
        return next((name for name in names if name), "hvd")


def operator(make: Operator) -> Operator:
    """Register an operator by its name."""
    OPERATORS[make.__name__.replace("_", " ")] = make
    return make


def _dropped(text: Text, *members: str) -> Iterator[str]:
    for call in text.calls(*members):
        if isinstance(text.parents[call], ast.Expr):
            yield text.without(text.statement(call))


def _unwrapped(text: Text, *members: str) -> Iterator[str]:
    for call in text.calls(*members):
        if call.args:
            yield text.replaced(call, text.segment(call.args[0]))


def _wrapped_again(text: Text, *members: str) -> Iterator[str]:
    for call in text.calls(*members):
        yield text.replaced(call, f"{text.segment(call.func)}({text.segment(call)})")


@operator
def broadcast_dropped(text: Text) -> Iterator[str]:
    """No variables are broadcast, or one kind of them isn't."""
    yield from _dropped(text, "broadcast_variables")


@operator
def broadcast_by_rank_0_alone(text: Text) -> Iterator[str]:
    """The others never come to it."""
    for call in text.calls("broadcast_variables", "broadcast", "broadcast_object"):
        if isinstance(text.parents[call], ast.Expr):
            yield text.guarded(text.statement(call), text.hvd)


@operator
def broadcast_callback_dropped(text: Text) -> Iterator[str]:
    """A `fit` begins with weights of each worker's own."""
    for call in text.calls("BroadcastGlobalVariablesCallback", "BroadcastGlobalVariablesHook"):
        if isinstance(text.parents[call], ast.List):
            others = [text.segment(e) for e in text.parents[call].elts if e is not call]  # type: ignore[attr-defined]
            yield text.replaced(text.parents[call], f"[{', '.join(others)}]")


@operator
def optimizer_not_wrapped(text: Text) -> Iterator[str]:
    """Gradients are averaged by nobody."""
    yield from _unwrapped(text, "DistributedOptimizer")


@operator
def optimizer_wrapped_twice(text: Text) -> Iterator[str]:
    """Gradients are averaged twice."""
    yield from _wrapped_again(text, "DistributedOptimizer")


@operator
def tape_not_wrapped(text: Text) -> Iterator[str]:
    """Gradients are averaged by nobody."""
    yield from _unwrapped(text, "DistributedGradientTape")


@operator
def tape_wrapped_twice(text: Text) -> Iterator[str]:
    """Gradients are averaged twice."""
    yield from _wrapped_again(text, "DistributedGradientTape")


@operator
def gradients_summed(text: Text) -> Iterator[str]:
    """Sums and a rate that is scaled: N times N, but for updates that don't feel the length."""
    plain = ("SGD(", "GradientDescentOptimizer(")
    if not any(word in text.text for word in plain):
        return
    for call in text.calls("DistributedOptimizer", "DistributedGradientTape"):
        arguments = ", ".join(map(text.segment, [*call.args]))
        yield text.replaced(call, f"{text.segment(call.func)}({arguments}, op={text.hvd}.Sum)")


@operator
def share_not_taken(text: Text) -> Iterator[str]:
    """Every worker trains on all of a data set."""
    for call in text.calls("shard"):
        if isinstance(call.func, ast.Attribute):
            yield text.replaced(call, text.segment(call.func.value))


@operator
def share_by_local_rank(text: Text) -> Iterator[str]:
    """On two machines two workers have one share."""
    for call in text.calls("shard"):
        for rank in (n for a in call.args for n in ast.walk(a) if isinstance(n, ast.Call)):
            if text.segment(rank).endswith(".rank()"):
                yield text.replaced(rank, text.segment(rank).replace(".rank()", ".local_rank()"))


@operator
def one_array_left_whole(text: Text) -> Iterator[str]:
    """What meets in one step isn't cut alike."""
    for node in text.nodes:
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name):
            if "shard" in node.slice.id and isinstance(node.ctx, ast.Load):
                yield text.replaced(node, text.segment(node.value))


@operator
def rate_not_scaled(text: Text) -> Iterator[str]:
    """The rate of one worker."""
    for node in text.nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and _is_size(node.right):
            if not isinstance(text.parents[node], ast.Call) or _is_rate(text, node):
                yield text.replaced(node, text.segment(node.left))


@operator
def rate_scaled_twice(text: Text) -> Iterator[str]:
    """N times N."""
    for node in text.nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and _is_size(node.right):
            if _is_rate(text, node):
                yield text.replaced(node, f"{text.segment(node)} * {text.segment(node.right)}")


@operator
def steps_not_divided(text: Text) -> Iterator[str]:
    """Every worker takes all steps."""
    for node in text.nodes:
        is_share = isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv)
        if is_share and _is_size(node.right) and not _is_multiple(text, node):  # type: ignore[attr-defined]
            yield text.replaced(node, text.segment(node.left))  # type: ignore[attr-defined]


@operator
def guard_opened(text: Text) -> Iterator[str]:
    """All workers write."""
    for node in text.nodes:
        if isinstance(node, ast.If) and _is_rank_test(text, node.test):
            yield text.replaced(node.test, "True")


@operator
def guard_around_training(text: Text) -> Iterator[str]:
    """Rank 0 alone takes the step."""
    for call in text.calls("fit", "apply_gradients", "minimize"):
        if isinstance(text.statement(call), (ast.Expr, ast.Assign)):
            yield text.guarded(text.statement(call), text.hvd)


@operator
def wait_dropped(text: Text) -> Iterator[str]:
    """Nobody waits for rank 0's file."""
    yield from _dropped(text, "broadcast")


@operator
def metrics_not_averaged(text: Text) -> Iterator[str]:
    """Steered by metrics of one's own."""
    for call in text.calls("MetricAverageCallback"):
        if isinstance(text.parents[call], ast.List):
            others = [text.segment(e) for e in text.parents[call].elts if e is not call]  # type: ignore[attr-defined]
            yield text.replaced(text.parents[call], f"[{', '.join(others)}]")


@operator
def start_dropped(text: Text) -> Iterator[str]:
    """Horovod is never started."""
    yield from _dropped(text, "init")


@operator
def gpu_not_chosen(text: Text) -> Iterator[str]:
    """All workers of a machine use one GPU."""
    yield from _dropped(text, "set_visible_devices")


@operator
def bound_by_rank_0_alone(text: Text) -> Iterator[str]:
    """A name that the others don't find."""
    for statement in text.tree.body:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            yield text.guarded(statement, text.hvd)


@operator
def statement_dropped(text: Text) -> Iterator[str]:
    """One statement of the original is gone."""
    for node in text.nodes:
        if isinstance(node, (ast.AugAssign, ast.Return)) or _is_plain_call(node):
            yield text.without(node)  # type: ignore[arg-type]


def _is_plain_call(node: ast.AST) -> bool:
    is_call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    return is_call and isinstance(node.value.func, ast.Name)  # type: ignore[attr-defined]


def _is_size(node: ast.AST) -> bool:
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    return is_call and node.func.attr == "size"  # type: ignore[attr-defined]


def _is_rate(text: Text, node: ast.AST) -> bool:
    """Whether it stands in the arguments of what makes an optimizer or a schedule."""
    while isinstance(text.parents[node], (ast.keyword, ast.BinOp, ast.List)):
        node = text.parents[node]
    call = text.parents[node]
    name = text.segment(call.func) if isinstance(call, ast.Call) else ""
    return name.rpartition(".")[2][:1].isupper() or name.endswith("_decay")


def _is_multiple(text: Text, node: ast.AST) -> bool:
    """Whether it is the `n // size` of `n // size * size`."""
    parent = text.parents[node]
    return isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mult)


def _is_rank_test(text: Text, test: ast.AST) -> bool:
    return ".rank() == 0" in text.segment(test) or ".local_rank() == 0" in text.segment(test)
