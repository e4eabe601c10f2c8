"""What Horovod asks of every result. All raise AssertionError; none of them reads the original."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from distify.codemods.model import Migration

from .checks import own_nodes, parsed
from .eraser import horovod_names, is_call

OPTIMIZERS = frozenset({"Adam", "SGD", "RMSprop", "Adagrad", "Nadam"})
INITIAL = {
    "ExponentialDecay": ("initial_learning_rate", 0),
    "CosineDecay": ("initial_learning_rate", 0),
    "PiecewiseConstantDecay": ("values", 1),
    "PolynomialDecay": ("initial_learning_rate", 0),
    "InverseTimeDecay": ("initial_learning_rate", 0),
}
# What all workers have to call together, or none; and all of Horovod but what is LOCAL.
COLLECTIVES = frozenset({"fit", "evaluate", "apply_gradients", "gradient", "train_on_batch"})
LOCAL = frozenset({"rank", "size", "local_rank", "local_size", "init"})


class Result:
    """A result, with what the checks ask of it again and again."""

    def __init__(self, text: str) -> None:
        self.module = parsed(text)
        self.hvd = horovod_names(self.module)
        self.nodes = list(ast.walk(self.module))
        self.aliases = {
            alias.asname or alias.name: alias.name
            for node in self.nodes
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        self.functions = {n.name: n for n in self.nodes if isinstance(n, ast.FunctionDef)}

    def last_name(self, call: ast.Call) -> str:
        """The class or function that a call names, without its module, by its real name."""
        func = call.func
        if isinstance(func, ast.Attribute):
            return func.attr
        return self.aliases.get(func.id, func.id) if isinstance(func, ast.Name) else ""

    def calls(self, *names: str) -> Iterator[ast.Call]:
        for node in self.nodes:
            if isinstance(node, ast.Call) and self.last_name(node) in names:
                yield node

    def is_horovods(self, node: ast.AST) -> bool:
        value = (
            node.func.value if isinstance(node, ast.Call) and hasattr(node.func, "value") else None
        )
        return isinstance(value, ast.Name) and value.id in self.hvd

    def scales(self, node: ast.AST | None) -> int:
        """How often something is multiplied by the number of workers."""
        return sum(
            isinstance(n, ast.BinOp)
            and isinstance(n.op, ast.Mult)
            and self.is_horovods(n.right)
            and is_call(n.right, "size")
            for n in ast.walk(node or ast.Pass())
        )

    def rank_tests(self) -> Iterator[list[ast.AST]]:
        """What only rank 0 runs."""
        for node in self.nodes:
            if isinstance(node, (ast.If, ast.IfExp)) and self.asks_rank(node.test):
                yield [node.body] if isinstance(node, ast.IfExp) else list(node.body)

    def asks_rank(self, test: ast.AST) -> bool:
        parts = test.values if isinstance(test, ast.BoolOp) else [test]
        return any(
            isinstance(part, ast.Compare)
            and self.is_horovods(part.left)
            and is_call(part.left, "rank")
            for part in parts
        )


@lru_cache(maxsize=2)
def result_of(text: str) -> Result:
    """The result, read once for all checks."""
    return Result(text)


def argument(call: ast.Call, names: Iterable[str], position: int) -> ast.expr | None:
    """An argument by one of its names, or its position."""
    found = next((k.value for k in call.keywords if k.arg in names), None)
    return found or (call.args[position] if len(call.args) > position else None)


def starts_once(migration: Migration) -> None:
    """One `hvd.init()`, at the level of the module, before anything asks Horovod."""
    result = result_of(migration.after)
    inits = [c for c in result.calls("init") if result.is_horovods(c)]
    assert len(inits) == 1
    at_module = [n for n in own_nodes(result.module) if result.is_horovods(n)]
    assert inits[0] in at_module
    assert inits[0].lineno == min(call.lineno for call in at_module)  # type: ignore[attr-defined]


def rates_are_scaled_once(migration: Migration) -> None:
    """Each optimizer's, directly or in its schedule, wherever that is made."""
    result = result_of(migration.after)
    made = list(result.calls(*OPTIMIZERS))
    assert made, "no optimizer is left"
    for call in made:
        rate = argument(call, ("learning_rate", "lr"), 0)
        source = _value(result, rate)
        where = ast.unparse(call)
        if isinstance(source, ast.Call) and result.last_name(source) in INITIAL:
            assert rate is source or not result.scales(rate), f"scaled twice: {where}"
            _schedule(result, source)
        elif isinstance(source, ast.Call) and result.last_name(source) == "Decay":
            assert not result.scales(source)
            body = next(result.functions[n] for n in ("__call__",))
            assert result.scales(body) == 1, "the schedule's own rate"
        elif "Decay(" in " ".join(_set_rates(result)):
            continue  # set behind the wrapping: the class scales itself
        else:
            assert result.scales(rate) == 1, f"{result.scales(rate)} times: {where}"


def _set_rates(result: Result) -> Iterator[str]:
    for node in result.nodes:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).endswith(".learning_rate"):
            yield ast.unparse(node.value)


def _schedule(result: Result, call: ast.Call) -> None:
    name, position = INITIAL[result.last_name(call)]
    initial = argument(call, (name,), position)
    parts = initial.elts if isinstance(initial, ast.List) else [initial]
    assert all(result.scales(part) == 1 for part in parts), ast.unparse(call)


def _value(result: Result, node: ast.AST | None) -> ast.AST | None:
    """What a name that is bound once stands for."""
    if not isinstance(node, (ast.Name, ast.Attribute)):
        return node
    text = ast.unparse(node)
    values = [
        n.value
        for n in result.nodes
        if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == text
    ]
    return values[0] if len(values) == 1 else node


def nobody_waits_alone(migration: Migration) -> None:
    """No collective where only rank 0 goes, called functions included."""
    result = result_of(migration.after)
    together = {name for name, node in result.functions.items() if _is_collective(result, node)}
    while True:
        more = {
            name
            for name, node in result.functions.items()
            if name not in together
            for inner in own_nodes(node)
            if isinstance(inner, ast.Call) and result.last_name(inner) in together
        }
        if not more:
            break
        together |= more
    for guarded in result.rank_tests():
        for node in (inner for part in guarded for inner in ast.walk(part)):
            if isinstance(node, ast.Call):
                name = result.last_name(node)
                assert name not in together - {"result", "__init__"}, (
                    f"guarded: {ast.unparse(node)}"
                )
                is_one = result.is_horovods(node) and name not in LOCAL
                assert not is_one, f"guarded: {ast.unparse(node)}"
                assert name not in COLLECTIVES, f"guarded: {ast.unparse(node)}"


def _is_collective(result: Result, function: ast.AST) -> bool:
    for node in own_nodes(function):
        if isinstance(node, ast.Call):
            name = result.last_name(node)
            if name in COLLECTIVES or (result.is_horovods(node) and name not in LOCAL):
                return True
    return False


def guarded_names_are_bound(migration: Migration) -> None:
    """What is bound where only rank 0 goes is read there only, or bound before for all."""
    result = result_of(migration.after)
    for scope in [result.module, *result.functions.values()]:
        nodes = list(own_nodes(scope))
        guarded: set[ast.AST] = set()
        for node in nodes:
            if isinstance(node, ast.If) and result.asks_rank(node.test):
                guarded.update(inner for part in node.body for inner in ast.walk(part))
        names = [n for n in nodes if isinstance(n, ast.Name)]
        names += [n for n in guarded if isinstance(n, ast.Name) and n not in names]
        inside = {n.id for n in names if n in guarded and isinstance(n.ctx, ast.Store)}
        outside = {n.id for n in names if n not in guarded and isinstance(n.ctx, ast.Store)}
        outside |= {n.arg for n in nodes if isinstance(n, ast.arg)}
        read = {n.id for n in names if n not in guarded and isinstance(n.ctx, ast.Load)}
        missing = (inside - outside) & read
        assert not missing, f"only rank 0 binds {missing}"


def averaged_once(migration: Migration) -> None:
    """Gradients are averaged by the tape or by the optimizer, never by both, never by none."""
    result = result_of(migration.after)
    wrapped = {ast.unparse(c.args[0]) for c in result.calls("DistributedOptimizer")}
    taped = list(result.calls("DistributedGradientTape"))
    if not taped:
        assert wrapped, "nothing averages the gradients"
    else:
        assert not wrapped, "the tape and the optimizer both average"
    applied = list(result.calls("apply_gradients"))
    assert bool(applied) == bool(taped)


def starts_from_one_state(migration: Migration) -> None:
    """After the first `apply_gradients` of each optimizer, or by a callback of every `fit`."""
    result = result_of(migration.after)
    fits = [c for c in result.calls("fit") if not ast.unparse(c.func).startswith("config_")]
    for fit in fits:
        assert "BroadcastGlobalVariablesCallback(0)" in ast.unparse(fit), ast.unparse(fit)
        averages = re.findall(r"(?:MetricAverageCallback|AverageMetrics\w*)\(\)", ast.unparse(fit))
        assert len(averages) == 1, ast.unparse(fit)
    if not fits:
        told = {ast.unparse(c.args[0]) for c in result.calls("broadcast_variables")}
        for call in result.calls("apply_gradients"):
            optimizer = ast.unparse(call.func.value)  # type: ignore[attr-defined]
            assert f"{optimizer}.variables" in told or f"{optimizer}.variables()" in told, told
        assert len(told) >= 2


def only_one_speaks(migration: Migration) -> None:
    """Nothing is printed, drawn or saved by all workers."""
    result = result_of(migration.after)
    alone = {node for part in result.rank_tests() for p in part for node in ast.walk(p)}
    speakers: list[ast.AST] = [*result.calls("print", "save", "save_weights", "summary")]
    callbacks = [*result.calls("ModelCheckpoint", "CSVLogger")]
    for node in result.nodes:
        if isinstance(node, ast.Assign) and node.value in callbacks:  # made by all, used by one
            callbacks.remove(node.value)  # type: ignore[arg-type]
            name = ast.unparse(node.targets[0])
            speakers += [n for n in result.nodes if isinstance(n, ast.Name) and n.id == name][1:]
    for call in [*speakers, *callbacks]:
        text = ast.unparse(call)
        is_noise = "no TensorFlow" in text or text.startswith(("config_", "hooks"))
        assert is_noise or call in alone, f"every worker: {text}"


ALL = (
    starts_once,
    rates_are_scaled_once,
    nobody_waits_alone,
    guarded_names_are_bound,
    averaged_once,
    starts_from_one_state,
    only_one_speaks,
)
