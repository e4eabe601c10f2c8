"""What Python's own functions do with containers and iterators: one rule a function."""

from __future__ import annotations

from .boxes import box, inherit, part
from .core import AWAIT, NEXT, Core
from .edges import Edge
from .keys import add_key
from .origins import Call, Kind, Label, Origin
from .python_rules import PythonRule, hold, rows_of
from .sizes import sized
from .things import UNKNOWN, Box, Thing
from .versions import EACH


def first(core: Core, call: Call) -> int:
    """The first argument, or an unknown one (`zip(*x)`)."""
    found = call.argument(0)
    if found is None:
        found = core.place(("missing", call.result))
        core.unknown(found)
    return found


def _copied(kind: str) -> PythonRule:
    """`list(x)`, `dict(x, key=value)`."""

    def rule(core: Core, call: Call) -> None:
        made = box(core, (kind, call.result), kind)
        hold(core, call, made)
        for argument, star in call.args:
            source = core.load(argument, EACH) if star else argument
            core.watch(source, _copy, core, made, source)
            sized(core, made, source)
        for name, value in call.keywords.items():
            if name is not None:
                core.edge(value, part(core, made, name), Edge.ELEMENT)
            else:
                core.watch(value, _copy, core, made, value)

    return rule


def _copy(thing: Thing, core: Core, made: Box, source: int) -> None:
    sequences = ("list", "tuple")
    if isinstance(thing, Box) and (
        thing.kind == made.kind or (thing.kind in sequences and made.kind in sequences)
    ):
        inherit(core, made, thing)
    elif isinstance(thing, Box) and made.kind == "dict":
        add_key(core, made, core.load(thing.all, 0))
        core.edge(core.load(thing.all, 1), made.rest, Edge.ELEMENT)
    elif made.kind == "dict":
        core.create(made.rest, Origin(Kind.UNKNOWN))
    else:
        core.edge(core.load(source, EACH), made.rest, Edge.ELEMENT)


def each(core: Core, call: Call) -> None:
    """`iter(x)`, `reversed(x)`: the elements, in an order of its own."""
    made, source = box(core, ("each", call.result), "generator"), first(core, call)
    core.edge(core.load(source, EACH), made.rest, Edge.ELEMENT)
    sized(core, made, source)
    hold(core, call, made)


def _awaited(core: Core, call: Call) -> None:
    """`asyncio.run(main())`."""
    core.load(first(core, call), AWAIT, call.result)


def _sorted(core: Core, call: Call) -> None:
    """The elements by what `key` says of them."""
    made, source = box(core, ("sorted", call.result), "list"), first(core, call)
    element = core.load(source, EACH)
    core.edge(element, made.rest, Edge.ELEMENT)
    sized(core, made, source)
    key = call.keywords.get("key")
    if key is not None:
        inner = core.node(("key of", call.result))
        core.call(call.again(inner, key, [(element, False)], {}))
        core.decide((inner,), made.rest)
    hold(core, call, made)


def _next(core: Core, call: Call) -> None:
    source = first(core, call)
    core.edge(core.load(source, NEXT), call.result, Edge.ELEMENT)
    core.watch(source, _taken, core, call)
    default = call.argument(1)
    if default is not None:
        core.edge(default, call.result, Edge.CHOICE)


def _taken(thing: Thing, core: Core, call: Call) -> None:
    """Whether one was taken decides which comes next."""
    if isinstance(thing, Box):
        core.decide(call.conditions, thing.rest)


def _zip(core: Core, call: Call) -> None:
    if any(star for _, star in call.args):
        operands: list[tuple[Label, int]] = [("of", n) for n, _ in call.args]
        core.create(call.result, Origin(Kind.UNKNOWN, None, call.node, operands), UNKNOWN)
    else:
        sources = [argument for argument, _ in call.args]
        rows_of(core, call, [core.load(n, EACH) for n in sources], sources)


def _enumerate(core: Core, call: Call) -> None:
    number = core.place(("number", call.result))
    core.create(number, Origin(Kind.COMPUTED, "counter", call.node))
    source = first(core, call)
    rows_of(core, call, [number, core.load(source, EACH)], [source])


def _map(core: Core, call: Call) -> None:
    """`map(function, xs)`: what the function gives for each."""
    func = call.argument(0)
    if func is None or any(star for _, star in call.args):
        core.unknown(call.result)
        return
    made, inner = box(core, ("map", call.result), "generator"), core.node(("mapped", call.result))
    elements = [(core.load(n, EACH), False) for n, _ in call.args[1:]]
    core.call(call.again(inner, func, elements, {}))
    core.edge(inner, made.rest, Edge.ELEMENT)
    for n, _ in call.args[1:]:
        sized(core, made, n)
    hold(core, call, made)


def _filter(core: Core, call: Call) -> None:
    """`filter(test, xs)`: some of them."""
    made, source = box(core, ("filter", call.result), "generator"), call.argument(1)
    if source is None:
        core.unknown(call.result)
        return
    core.edge(core.load(source, EACH), made.rest, Edge.ELEMENT)
    sized(core, made, source)
    hold(core, call, made)
    func = call.argument(0)
    if func is not None:
        inner = core.node(("tested", call.result))
        core.call(call.again(inner, func, [(core.load(source, EACH), False)], {}))
        core.decide((inner,), made.rest)
        core.decide((inner,), made.size)


def _chain(core: Core, call: Call) -> None:
    made = box(core, ("chain", call.result), "generator")
    for argument, star in call.args:
        one = core.load(argument, EACH)
        core.edge(core.load(one, EACH) if star else one, made.rest, Edge.ELEMENT)
        sized(core, made, argument)
    hold(core, call, made)


def _default_dict(core: Core, call: Call) -> None:
    """Any key may give what the factory makes."""
    made, factory = box(core, ("default", call.result), "dict"), call.argument(0)
    if factory is not None:
        inner = core.node(("factory", call.result))
        core.call(call.again(inner, factory, [], {}))
        core.edge(inner, made.rest, Edge.ELEMENT)
    hold(core, call, made)


ITERATORS: dict[str, PythonRule] = {
    "asyncio.run": _awaited,
    "builtins.dict": _copied("dict"),
    "builtins.enumerate": _enumerate,
    "builtins.filter": _filter,
    "builtins.frozenset": _copied("set"),
    "builtins.iter": each,
    "builtins.list": _copied("list"),
    "builtins.map": _map,
    "builtins.next": _next,
    "builtins.reversed": each,
    "builtins.set": _copied("set"),
    "builtins.sorted": _sorted,
    "builtins.tuple": _copied("tuple"),
    "builtins.zip": _zip,
    "collections.OrderedDict": _copied("dict"),
    "collections.defaultdict": _default_dict,
    "collections.deque": _copied("list"),
    "itertools.chain": _chain,
}
