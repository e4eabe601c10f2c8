"""What is asked of a strategy of `tf.distribute`, and what that is on one device."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator

from ..facts import Facts
from ..library.device_strategies import REPLICA, SHOWS
from ..program.node_fields import children, within
from ..rewrites._new_code import contextlib, tf
from ._strategy_cluster import of_cluster
from ._strategy_names import Strategies

COUNT = ("num_replicas_in_sync", "num_input_pipelines")
OF_CONTEXT = {**dict.fromkeys(COUNT, "1"), "input_pipeline_id": "0"}
OF_RESOLVER = {"task_type": "None", "task_id": "0"}
OF_EXTENDED = ("should_checkpoint", "should_save_checkpoint", "should_save_summary")
OF_REPLICA = {"num_replicas_in_sync": "1", "replica_id_in_sync_group": "0"}
TESTS = {"_ is None": "True", "_ is not None": "False", "_ == 0": "True", "_ != 0": "False"}
DIVIDES = (ast.Mult, ast.FloorDiv, ast.Div)
ALONE = (ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript)
# Its methods.
RUN = ("run", "experimental_run_v2")
LOCAL = ("experimental_local_results",)
SAME = ("experimental_distribute_dataset", "gather")
FROM_FUNCTION = (
    "distribute_datasets_from_function",
    "experimental_distribute_datasets_from_function",
)
SUMS = ("sum", "mean")


class OnOneDevice:
    """Says what a strategy gives on one device, in the words of the program."""

    def __init__(self, facts: Facts, found: Strategies, contexts: set[ast.AST]) -> None:
        self.facts, self.contexts, self.found = facts, contexts, found

    def uses(self, tree: ast.AST) -> Iterator[ast.AST]:
        """The places that read a strategy, or what a function of its data is given."""
        for node in within(tree):
            is_load = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
            if is_load and (node in self.contexts or self.is_strategy(node)):
                yield node

    def outermost(self, tree: ast.AST) -> Iterator[tuple[ast.expr, str]]:
        """The uses that stand in no other use, with the code that takes their place."""
        waiting = list(children(tree))
        while waiting:
            node = waiting.pop()
            code = self.code(node) if isinstance(node, ast.expr) else None
            if isinstance(node, ast.expr) and code is not None:
                yield node, code
            else:
                waiting.extend(children(node))

    def is_strategy(self, node: ast.AST) -> bool:
        """Whether it is a strategy."""
        return node in self.found.uses

    def is_named(self, node: ast.AST) -> bool:
        """Whether new code names one."""
        return ast.unparse(node) in self.found.names

    def is_member(self, node: ast.AST, *members: str) -> bool:
        """Whether it is one of these members of a strategy."""
        is_one = isinstance(node, ast.Attribute) and node.attr in members
        return is_one and self.is_strategy(node.value)  # type: ignore[attr-defined]

    def is_scope(self, statement: ast.With) -> bool:
        """`with strategy.scope():`, with nothing else in its head."""
        if len(statement.items) != 1 or statement.items[0].optional_vars is not None:
            return False
        call = statement.items[0].context_expr
        return isinstance(call, ast.Call) and self.is_member(call.func, "scope")

    def is_replica(self, node: ast.AST) -> bool:
        """Whether a replica asks for itself."""
        return isinstance(node, ast.Call) and self.facts.name(node.func) == REPLICA

    def text(self, node: ast.expr) -> str:
        """The code of an expression, with all uses in it replaced."""
        found = self.code(node)
        if found is not None:
            return found
        source = self.facts.source
        parts = dict(self.outermost(node))
        if node in source.in_fstrings:
            return substituted(node, parts)
        start, end = source.offsets(node)
        text = source.text[start:end]
        for part in sorted(parts, key=source.offsets, reverse=True):
            first, last = (offset - start for offset in source.offsets(part))
            text = text[:first] + self._fitting(part, parts[part]) + text[last:]
        return text if is_expression(text) else substituted(node, parts)

    def code(self, node: ast.AST) -> str | None:
        """The code that takes the place of a use; None for what is none."""
        if isinstance(node, ast.Call):
            return of_call(self, node) or of_cluster(self.facts, node)
        if isinstance(node, ast.BinOp):
            return self._of_number(node)
        if isinstance(node, ast.Attribute):
            return self._of_member(node)
        if isinstance(node, ast.Subscript):
            return self._of_element(node) or of_cluster(self.facts, node)
        if isinstance(node, ast.Compare):
            return self._of_test(node)
        if isinstance(node, ast.JoinedStr):  # it is edited as a whole
            parts = dict(self.outermost(node))
            return substituted(node, parts) if parts else None
        is_given = isinstance(self.facts.parent(node), (ast.keyword, ast.Call))
        is_none = (node in self.contexts and is_given) or self._is_shown(node)
        return "None" if is_none else None

    def _is_shown(self, node: ast.AST) -> bool:
        """Whether a strategy is only printed, or asked for its kind."""
        parent = self.facts.parent(node)
        if not self.is_strategy(node) or isinstance(node, ast.Call):
            return False
        if isinstance(parent, ast.FormattedValue):
            return True
        is_given = isinstance(parent, ast.Call) and node in parent.args
        return is_given and SHOWS.match(self._called(parent.func)) is not None  # type: ignore[union-attr]

    def _called(self, func: ast.expr) -> str:
        """The name of a function, or of the method of what `logging.getLogger()` gives."""
        made = self.facts.origins(func.value).only if isinstance(func, ast.Attribute) else None
        logger = self.facts.name(made.func) if isinstance(made, ast.Call) else None
        is_logger = logger is not None and logger.startswith("logging.")
        return "logging." + func.attr if is_logger else self.facts.name(func) or ""  # type: ignore[attr-defined]

    def _fitting(self, part: ast.expr, code: str) -> str:
        is_operand = isinstance(self.facts.parent(part), (ast.BinOp, ast.UnaryOp, ast.Attribute))
        is_alone = isinstance(ast.parse(code, mode="eval").body, ALONE)
        return f"({code})" if is_operand and not is_alone else code

    def _is_count(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Attribute) and node.attr in COUNT and self.code(node) == "1"

    def _of_number(self, node: ast.BinOp) -> str | None:
        """`batch * strategy.num_replicas_in_sync` is `batch`."""
        if self._is_count(node.right) and isinstance(node.op, DIVIDES):
            return self.text(node.left)
        if self._is_count(node.left) and isinstance(node.op, ast.Mult):
            return self.text(node.right)
        return None

    def _of_test(self, node: ast.Compare) -> str | None:
        """There is no cluster; of a cluster of one, a program is the first."""
        asked = ast.unparse(ast.Compare(ast.Name("_"), node.ops, node.comparators))
        if self.is_member(node.left, "cluster_resolver"):
            return TESTS.get(asked)
        left = node.left.value if isinstance(node.left, ast.Attribute) else node.left
        is_id = self.is_member(left, "cluster_resolver") and node.left is not left
        return TESTS.get(asked) if is_id and self.code(node.left) == "0" else None

    def _of_element(self, node: ast.Subscript) -> str | None:
        """The first of the local results is what there is."""
        call = node.value
        is_first = isinstance(node.slice, ast.Constant) and node.slice.value == 0
        if is_first and isinstance(call, ast.Call) and len(call.args) == 1:
            return self.text(call.args[0]) if self.is_member(call.func, *LOCAL) else None
        return None

    def _of_member(self, node: ast.Attribute) -> str | None:
        """There is one replica, which reads all, and saves what is saved."""
        if node.value in self.contexts:
            return OF_CONTEXT.get(node.attr)
        if self.is_member(node, COUNT[0]):
            return "1"
        if self.is_member(node, "cluster_resolver"):
            return "None" if is_truth(self.facts.parent(node), node) else None
        if self.is_member(node.value, "cluster_resolver"):
            return OF_RESOLVER.get(node.attr)
        if self.is_member(node.value, "extended"):
            return "True" if node.attr in OF_EXTENDED else None
        if self.is_replica(node.value):
            return OF_REPLICA.get(node.attr)
        return self._of_values(node) if node.attr == "values" else None

    def _of_values(self, node: ast.Attribute) -> str | None:
        """The values of all replicas are one."""
        bindings = self.facts.bindings(node.value) if isinstance(node.value, ast.Name) else []
        calls = [each.value for each in bindings if isinstance(each.value, ast.Call)]
        is_of_replicas = any(self.is_member(call.func, *RUN) for call in calls)
        return f"({self.text(node.value)},)" if is_of_replicas else None


def is_truth(parent: ast.AST | None, node: ast.AST) -> bool:
    """Whether only that is asked, if there is one: `if context:`, `context is None`."""
    if isinstance(parent, ast.Compare):
        return all(isinstance(op, (ast.Is, ast.IsNot)) for op in parent.ops)
    return isinstance(parent, (ast.BoolOp, ast.UnaryOp)) or getattr(parent, "test", None) is node


def is_expression(text: str) -> bool:
    """Whether it can stand by itself, wherever its lines are broken."""
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return True


def substituted(node: ast.expr, parts: dict[ast.expr, str]) -> str:
    """The code of a copy in which other code takes the place of these parts."""
    made: dict[int, ast.AST] = {}
    copied = copy.deepcopy(node, made)
    new = {made[id(part)]: ast.parse(code, mode="eval").body for part, code in parts.items()}
    return ast.unparse(_Substitution(new).visit(copied))


class _Substitution(ast.NodeTransformer):
    def __init__(self, new: dict[ast.AST, ast.expr]) -> None:
        self._new = new

    def visit(self, node: ast.AST) -> ast.AST:
        found: ast.AST = self._new[node] if node in self._new else self.generic_visit(node)
        return found


# -- its methods ----------------------------------------------------------------------


def of_call(device: OnOneDevice, call: ast.Call) -> str | None:
    """`run` calls, `reduce` gives what there is, datasets stay what they are."""
    if any(isinstance(each, ast.Starred) for each in call.args):
        return None
    for members, ask in ASKED:
        if device.is_member(call.func, *members):
            return ask(device, call)
    return _of_another(device, call) if isinstance(call.func, ast.Attribute) else None


def _of_another(device: OnOneDevice, call: ast.Call) -> str | None:
    """What is asked of the context of a function of data, of a replica, or of a cluster."""
    func = call.func
    assert isinstance(func, ast.Attribute)
    if func.attr == "shard":
        return _whole(device, call)
    if func.attr == "get_per_replica_batch_size" and func.value in device.contexts:
        return _first(device, call)
    if func.attr == "cluster_spec" and device.is_member(func.value, "cluster_resolver"):
        return f"{tf(device.facts)}.train.ClusterSpec({{}})"
    if func.attr == "all_reduce" and device.is_replica(func.value) and len(call.args) == 2:
        return device.text(call.args[1])
    return None


def _given(call: ast.Call, *names: str) -> dict[str | None, ast.expr] | None:
    """The arguments by these names; None where there are others."""
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    given.update(zip(names, call.args))
    return None if set(given) - set(names) or len(call.args) > len(names) else given


def _first(device: OnOneDevice, call: ast.Call) -> str | None:
    """What it is given first."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return device.text(given[0]) if given else None


def _local(device: OnOneDevice, call: ast.Call) -> str | None:
    """There is one local result."""
    found = _first(device, call)
    return None if found is None else f"({found},)"


def _whole(device: OnOneDevice, call: ast.Call) -> str | None:
    """`shard(context.num_input_pipelines, context.input_pipeline_id)` leaves all there is."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    contexts = (isinstance(g, ast.Attribute) and g.value in device.contexts for g in given)
    if given and all(contexts) and isinstance(call.func, ast.Attribute):
        return device.text(call.func.value)
    return None


def _run(device: OnOneDevice, call: ast.Call) -> str | None:
    """The function is called as it would be in the replica; a lambda's body takes its place."""
    given = _given(call, "fn", "args", "kwargs")
    if given is None or "fn" not in given:
        return None
    function, values = given["fn"], given.get("args")
    texts: list[str] = []
    if isinstance(values, (ast.Tuple, ast.List)):
        texts = [device.text(each) for each in values.elts]
    elif values is not None:
        texts = [f"*{device.text(values)}"]
    texts += [f"**{device.text(given['kwargs'])}"] if "kwargs" in given else []
    if not isinstance(function, ast.Lambda):
        return f"{device.text(function)}({', '.join(texts)})"
    if texts or ast.unparse(function.args):
        return f"({device.text(function)})({', '.join(texts)})"
    return device.text(function.body)


def _reduced(device: OnOneDevice, call: ast.Call) -> str | None:
    """The sum, or the mean, over one replica; over an axis it is that of the examples."""
    given = _given(call, "reduce_op", "value", "axis")
    if given is None or "value" not in given:
        return None
    axis = given.get("axis", ast.Constant(None))
    value = device.text(given["value"])
    if isinstance(axis, ast.Constant) and axis.value is None:
        return value
    kind = ast.unparse(given.get("reduce_op", axis)).rpartition(".")[2].strip("'\"").lower()
    if not isinstance(axis, ast.Constant) or kind not in SUMS:
        return None
    return f"{tf(device.facts)}.reduce_{kind}({value}, axis={axis.value!r})"


def _from_function(device: OnOneDevice, call: ast.Call) -> str | None:
    """The function that makes the data is called, and told of no others."""
    given = _given(call, "dataset_fn", "options")
    made = None if given is None else given.get("dataset_fn")
    if isinstance(made, ast.Lambda):
        return device.text(made.body)
    is_seen = made is not None and device.facts.classes.function(made) is not None
    return f"{device.text(made)}(None)" if made is not None and is_seen else None


def _scope(device: OnOneDevice, call: ast.Call) -> str | None:
    """A scope that is handed on is a context in which nothing is otherwise."""
    around = device.facts.parent(call)
    is_alone = isinstance(around, ast.withitem)  # which goes as a whole
    return None if is_alone or call.args or call.keywords else nothing_else(device.facts)


def nothing_else(facts: Facts) -> str:
    """The code of a context in which nothing is otherwise."""
    return f"{contextlib(facts)}.nullcontext()"


ASKED: tuple[tuple[tuple[str, ...], Callable[[OnOneDevice, ast.Call], str | None]], ...] = (
    (RUN, _run),
    (("reduce",), _reduced),
    (FROM_FUNCTION, _from_function),
    (LOCAL, _local),
    (SAME, _first),
    (("scope",), _scope),
)
