"""The stages of a tf.data pipeline: which method makes a dataset of another one, and how.

https://www.tensorflow.org/api_docs/python/tf/data/Dataset
"""

from __future__ import annotations

import ast

from ...program.records import NamedTuple


class Stage(NamedTuple):
    """A dataset on its way: `expr` is it, made by `method` (empty: the same under another name)."""

    expr: ast.expr
    method: str = ""
    is_whole: bool = True  # False: the expression holds several datasets
    is_endless: bool = False  # a source that is made of endless datasets

    @property
    def call(self) -> ast.Call:
        """The call that makes it."""
        assert isinstance(self.expr, ast.Call)
        return self.expr


Way = tuple[Stage, ...]


def is_endless(way: Way) -> bool:
    """Whether the pipeline repeats for ever."""
    if not way:  # `Dataset.take(ds, 3)`: what it is called with is no stage before it
        return False
    return (
        way[0].is_endless
        or any(stage.method == "repeat" and has_no_count(stage.call) for stage in way)
        or _repeats_itself(way[0])
    )


def has_no_count(call: ast.Call) -> bool:
    """Whether a call of `repeat` says no number of times, for several workers at least."""
    values = [*call.args, *(k.value for k in call.keywords if k.arg == "count")]
    if not values:
        return True
    count = values[0].body if isinstance(values[0], ast.IfExp) else values[0]
    try:
        return ast.literal_eval(count) in (None, -1)
    except (ValueError, TypeError, SyntaxError):
        return False


def _repeats_itself(source: Stage) -> bool:
    return source.method == "make_csv_dataset" and not any(
        k.arg == "num_epochs" for k in source.call.keywords
    )
