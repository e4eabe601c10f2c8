"""What `itertools`, `functools.reduce` and functions that pick an element do with values."""

from __future__ import annotations

from .boxes import box
from .calls import outside
from .core import Core
from .edges import Edge
from .origins import Call, Kind, Origin
from .python_iterators import each, first
from .python_rules import PythonRule, hold, rows_of
from .sizes import sized
from .things import Box, Thing
from .versions import EACH


def _picks(name: str) -> PythonRule:
    """`max(models, key=…)`: one of them, by what `key` says; else it compares values."""

    def rule(core: Core, call: Call) -> None:
        key = call.keywords.get("key")
        if key is None or any(star for _, star in call.args):
            outside(core, call, name)
            return
        values = [n for n, _ in call.args]
        for value in values if len(values) > 1 else [core.load(first(core, call), EACH)]:
            core.edge(value, call.result, Edge.CHOICE)
            inner = core.node(("key of", call.result, value))
            core.call(call.again(inner, key, [(value, False)], {}))
            core.decide((inner,), call.result)
        if "default" in call.keywords:
            core.edge(call.keywords["default"], call.result, Edge.CHOICE)

    return rule


def _repeat(core: Core, call: Call) -> None:
    made = box(core, ("repeat", call.result), "generator")
    core.edge(first(core, call), made.rest, Edge.ELEMENT)
    core.decide(tuple(call.values()[1:]), made.size)
    hold(core, call, made)


def _rows(name: str) -> PythonRule:
    """`product(xs, ys)`, `zip_longest(xs, ys)`."""

    def rule(core: Core, call: Call) -> None:
        if any(star for _, star in call.args) or "repeat" in call.keywords:
            outside(core, call, name)
            return
        sources = [argument for argument, _ in call.args]
        columns = [core.load(n, EACH) for n in sources]
        for column in columns:
            if "fillvalue" in call.keywords:
                core.edge(call.keywords["fillvalue"], column, Edge.CHOICE)
            elif name == "itertools.zip_longest":
                core.create(column, Origin(Kind.CONSTANT))
        rows_of(core, call, columns, sources)

    return rule


def _flattened(core: Core, call: Call) -> None:
    """`chain.from_iterable(lists)`."""
    made, source = box(core, ("flat", call.result), "generator"), first(core, call)
    one = core.load(source, EACH)
    core.edge(core.load(one, EACH), made.rest, Edge.ELEMENT)
    sized(core, made, source)
    sized(core, made, one)
    hold(core, call, made)


def _reduce(core: Core, call: Call) -> None:
    """`reduce(f, xs, start)`: what `f` gives for the result so far and each element."""
    func, source, start = call.argument(0), call.argument(1), call.argument(2)
    if func is None or source is None:
        core.unknown(call.result)
        return
    element, inner = core.load(source, EACH), core.node(("reduced", call.result))
    core.edge(element if start is None else start, call.result, Edge.CHOICE)
    core.call(call.again(inner, func, [(call.result, False), (element, False)], {}))
    core.edge(inner, call.result, Edge.RETURN)


def _sum(core: Core, call: Call) -> None:
    """`sum(lists, [])` is a list; numbers are added up."""
    start = call.argument(1, "start")
    if start is None:
        outside(core, call, "builtins.sum")
    else:
        core.watch(start, _added, core, call)


def _added(thing: Thing, core: Core, call: Call) -> None:
    if not isinstance(thing, Box):
        outside(core, call, "builtins.sum")
        return
    made, source = box(core, ("sum", call.result), "list"), first(core, call)
    core.edge(thing.all, made.rest, Edge.ELEMENT)
    core.edge(core.load(core.load(source, EACH), EACH), made.rest, Edge.ELEMENT)
    sized(core, made, source)
    hold(core, call, made)


ITERTOOLS: dict[str, PythonRule] = {
    "builtins.max": _picks("builtins.max"),
    "builtins.min": _picks("builtins.min"),
    "builtins.sum": _sum,
    "functools.reduce": _reduce,
    "itertools.chain.from_iterable": _flattened,
    "itertools.product": _rows("itertools.product"),
    "itertools.repeat": _repeat,
    "itertools.zip_longest": _rows("itertools.zip_longest"),
    **dict.fromkeys(("itertools.cycle", "itertools.islice"), each),
}
