"""The learning rate of an optimizer in a graph of TF 1: a number, or a tensor to be fetched."""

from __future__ import annotations

from typing import Any

from . import inside, rates

RATES = ("_learning_rate", "_lr", "_alpha")  # the attributes of TF 1's optimizers


def of(optimizer: Any) -> tuple[Any, float | None]:
    """The tensor of the learning rate, or the number."""
    hyper = getattr(optimizer, "_hyper", {})
    if "learning_rate" in hyper:
        given = hyper["learning_rate"]
        element = getattr(given, "_as_graph_element", None)
        given = element() if element else given
    else:
        # The tensor that was made of a Python function's result is what a step really uses.
        names = [name for base in RATES for name in (f"{base}_tensor", f"{base}_t", base)]
        given = next(
            (x for x in (getattr(optimizer, n, None) for n in names) if x is not None), None
        )
    if isinstance(given, (int, float)):
        return None, float(given)
    if given is None or not hasattr(given, "graph"):
        return None, None
    constant = inside.python("framework.tensor_util").constant_value(given)
    return given, None if constant is None else float(constant)


def schedule(optimizer: Any, tensor: Any) -> str | None:
    """The name that the operation of a changing rate has, such as `ExponentialDecay`."""
    hyper = getattr(optimizer, "_hyper", {}).get("learning_rate")
    if tensor is None or hyper is not None:
        return type(hyper).__name__ if rates.is_schedule(hyper) else None
    given = tensor
    while given.op.type in ("Identity", "Cast"):
        given = given.op.inputs[0]
    constant = inside.python("framework.tensor_util").constant_value(given)
    return None if constant is not None else str(given.op.name)
