"""What Python's own context managers and tasks give: what they were given."""

from __future__ import annotations

from .boxes import box, part
from .core import AWAIT, Core
from .edges import Edge
from .origins import Call, Kind, Origin
from .python_rules import PythonRule, hold
from .things import Box
from .versions import ENTER


def _null(core: Core, call: Call) -> None:
    """`with nullcontext(value) as name`."""
    made, value = box(core, ("null", call.result), "generator"), call.argument(0, "enter_result")
    if value is None:
        core.create(made.rest, Origin(Kind.CONSTANT))
    else:
        core.edge(value, made.rest, Edge.ELEMENT)
    hold(core, call, made)


def _stack(core: Core, call: Call) -> None:
    """`with ExitStack() as stack`: the stack itself."""
    made = box(core, ("stack", call.result), "stack")
    core.hold(made.rest, made)
    hold(core, call, made)


def enter(core: Core, owner: Box, call: Call) -> None:
    """`stack.enter_context(manager)`: what `with` would give."""
    manager = call.argument(0)
    if manager is None:
        core.unknown(call.result)
    else:
        core.load(manager, ENTER, call.result)


def keep(core: Core, owner: Box, call: Call) -> None:
    """`stack.callback(function, …)`: somebody calls it later."""
    core.create(call.result, Origin(Kind.COMPUTED, "callback", call.node))
    for value in call.values():
        core.hand_out(value, True)


def _gathered(core: Core, call: Call) -> None:
    """`await gather(one(), two())`: what each of them gives."""
    stars = any(star for _, star in call.args)
    made = box(core, ("results", call.result), "list", None if stars else len(call.args))
    for number, (task, _) in enumerate(call.args):
        place = made.rest if stars else part(core, made, number)
        if stars:
            core.unknown(place)
        else:
            core.edge(core.load(task, AWAIT), place, Edge.ELEMENT)
    awaited = box(core, ("gathered", call.result), "coroutine")
    core.hold(awaited.rest, made)
    hold(core, call, awaited)


def _task(core: Core, call: Call) -> None:
    """`create_task(main())`: it is awaited as what it was made of."""
    task = call.argument(0)
    if task is None:
        core.unknown(call.result)
    else:
        core.edge(task, call.result, Edge.ALIAS)


CONTEXTS: dict[str, PythonRule] = {
    "asyncio.gather": _gathered,
    "contextlib.ExitStack": _stack,
    "contextlib.nullcontext": _null,
    **dict.fromkeys(
        ("asyncio.create_task", "asyncio.ensure_future", "asyncio.shield", "asyncio.wait_for"),
        _task,
    ),
}
