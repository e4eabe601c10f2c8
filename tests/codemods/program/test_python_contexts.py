"""What Python's own context managers and tasks give."""

from __future__ import annotations

from made import Ask, cases, made

MADE: dict[str, set[str]] = {
    "with contextlib.nullcontext(1) as a:\n    SINK = a": {"1"},
    "with contextlib.nullcontext(enter_result=1) as a:\n    SINK = a": {"1"},
    "with contextlib.nullcontext() as a:\n    SINK = a": {"None"},
    "with contextlib.ExitStack() as s:\n    SINK = s.enter_context(contextlib.nullcontext(1))": {"1"},
    "with contextlib.ExitStack() as s:\n    SINK = s.enter_context()": {"?"},
    "with contextlib.ExitStack() as s:\n    SINK = s.enter_context(c())": {"<enter>"},
    "class A:\n    def __enter__(self):\n        return 1\nwith contextlib.ExitStack() as s:\n    SINK = s.enter_context(A())": {"1"},
    "with contextlib.ExitStack() as s:\n    SINK = s": {"stack"},
    "with contextlib.ExitStack() as s:\n    b = [1]\n    s.callback(c, b)\n    SINK = b[0]": {"1", "?"},
    "with contextlib.ExitStack() as s:\n    b = [1]\n    s.callback(c, key=b)\n    SINK = b[0]": {"1", "?"},
    "with contextlib.ExitStack() as s:\n    SINK = s.callback(c)": {"<callback>"},
    "with contextlib.ExitStack() as s:\n    b = [1]\n    s.push(b)\n    SINK = b[0]": {"1", "?"},
    "async def f():\n    return 1\ns = asyncio.create_task(f())\nb = [1]\ns.add_done_callback(b)\nSINK = b[0]": {"1", "?"},
    "async def f():\n    return 1\nasync def g():\n    return 2\nasync def h():\n    global SINK\n    a, b = await asyncio.gather(f(), g())\n    SINK = b": {"2"},
    "async def f():\n    return 1\nasync def g():\n    return 2\nasync def h():\n    global SINK\n    a = await asyncio.gather(f(), g())\n    SINK = a[0]": {"1"},
    "async def f():\n    return 1\nasync def g():\n    return 2\nasync def h():\n    global SINK\n    a = await asyncio.gather(f(), g())\n    SINK = a[-1]": {"2"},
    "async def f():\n    return 1\nasync def h():\n    global SINK\n    a = await asyncio.gather(*[f()])\n    SINK = a[0]": {"?"},
    "async def f():\n    return 1\nasync def h():\n    global SINK\n    SINK = await asyncio.create_task(f())": {"1"},
    "async def f():\n    return 1\nasync def h():\n    global SINK\n    SINK = await asyncio.wait_for(f(), 2)": {"1"},
    "async def f():\n    return 1\nasync def h():\n    global SINK\n    SINK = await asyncio.shield(f())": {"1"},
    "async def f():\n    return 1\nasync def h():\n    global SINK\n    SINK = await asyncio.ensure_future(f())": {"1"},
    "SINK = asyncio.create_task()": {"?"},
    "async def f():\n    return 1\nSINK = asyncio.run(f())": {"1"},
}  # fmt: skip


@cases((made, MADE))
def test_what_is_said_of_a_value(ask: Ask, text: str, expected: set[str]) -> None:
    assert ask(text) == expected
