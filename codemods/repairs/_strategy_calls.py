"""What the methods of a strategy of `tf.distribute` give on one device."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..rewrites._new_code import contextlib, tf

if TYPE_CHECKING:
    from ..facts import Facts
    from ._strategies import OnOneDevice

RUN = ("run", "experimental_run_v2")
LOCAL = ("experimental_local_results",)
SAME = ("experimental_distribute_dataset", "gather")
FROM_FUNCTION = (
    "distribute_datasets_from_function",
    "experimental_distribute_datasets_from_function",
)
SUMS = ("sum", "mean")


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
