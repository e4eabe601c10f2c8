"""`json.dump` of what `fit` measured: an average over the workers is NumPy's float32, not a float.

https://github.com/horovod/horovod/blob/v0.28.1/horovod/_keras/callbacks.py
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..horovod import METRICS
from ..keras_version import is_keras_3
from ..precedence import may_precede
from ..training.fits import fits
from .missing_callbacks import missing_callbacks

_DUMPS = ("json.dump", "json.dumps")
_OWN_WAYS = {"default", "cls", None}


def json_of_metrics(facts: Facts) -> Iterator[ast.Call]:
    """Calls that JSON would refuse, in a file that reads a history, unless they say what to do."""
    if is_keras_3(facts):
        return  # the average is a float64 there, which JSON takes
    is_read = any(node.attr == "history" for node in facts.index.nodes(ast.Attribute))
    measuring = [fit for fit in fits(facts) if METRICS in missing_callbacks(facts, fit)]
    if not is_read or not measuring:
        return
    for call in facts.calls_of(*_DUMPS):
        is_plain = not any(isinstance(argument, ast.Starred) for argument in call.args)
        if not any(may_precede(facts, fit, call) for fit in measuring):
            continue  # settings, which nothing has been measured for by then
        if is_plain and _OWN_WAYS.isdisjoint(keyword.arg for keyword in call.keywords):
            yield call
