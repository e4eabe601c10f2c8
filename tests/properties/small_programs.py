"""Random small programs over two variables, with all statements that change an order."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable

from properties.every_path import NAMES

_PLAIN = (
    *("set", "set", "set", "use", "use", "use", "call", "del", "augmented", "walrus", "choice"),
    *(
        "comprehension",
        "consumed",
        "generator",
        "lambda",
        "handed",
        "resume",
        "resume",
        "assertion",
    ),
    *("assertion", "class", "pair", "function_call", "function_call"),
)
_COMPOUND = ["if", "elif", "while", "endless", "for", "try", "two_handlers", "finally", "with"]
_COMPOUND.append("jump")
if sys.version_info >= (3, 10):
    _COMPOUND.append("match")
if sys.version_info >= (3, 11):
    _COMPOUND.append("groups")


class SmallPrograms:
    """One random program after the other."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._in_function = False
        self._callable: set[str] = set()

    def text(self) -> str:
        """The next program; what it binds, it binds to `a` and `b`."""
        self._callable = set()
        lines = ["a = 1", "b = 1", *self._function("k"), *self._function("g")]
        lines += [line[4:] for line in self._block(0)]
        return "\n".join(lines) + "\n"

    def _function(self, name: str) -> list[str]:
        """A function that may look at the variables of the module, and bind them."""
        if self._random.random() < 0.6:
            return []
        self._in_function, self._callable = True, self._callable - {name}
        declared = self._random.choice([[], ["    global a"], ["    global a, b"]])
        lines = [f"def {name}():", *declared, *self._block(2)]
        self._in_function, self._callable = False, self._callable | {name}
        return lines

    def _block(self, depth: int, in_loop: bool = False, no_jump: bool = False) -> list[str]:
        lines: list[str] = []
        for _ in range(self._random.randint(1, 3 if depth == 0 else 2)):
            is_plain = depth > 1 or self._random.random() < 0.4
            kind = self._random.choice(_PLAIN if is_plain else _COMPOUND)
            self._depth, self._in_loop, self._no_jump = depth, in_loop, no_jump
            lines += self._statement(kind)
        return ["    " + line for line in lines]

    def _statement(self, kind: str) -> list[str]:
        v, w = self._random.choice(NAMES), self._random.choice(NAMES)
        rule: Callable[[str, str], list[str]] = getattr(self, "_" + kind)
        return rule(v, w)

    def _inner(self, in_loop: bool | None = None, no_jump: bool | None = None) -> list[str]:
        depth, here, jumps = self._depth, self._in_loop, self._no_jump
        block = self._block(
            depth + 1, here if in_loop is None else in_loop, jumps if no_jump is None else no_jump
        )
        self._depth, self._in_loop, self._no_jump = depth, here, jumps
        return block

    def _maybe(self, *lines: str) -> list[str]:
        """A clause that may be there, with a block."""
        return [*lines, *self._inner()] if self._random.random() < 0.5 else []

    def _set(self, v: str, w: str) -> list[str]:
        return [f"{v} = f({w})" if self._random.random() < 0.3 else f"{v} = 1"]

    def _use(self, v: str, w: str) -> list[str]:
        return [f"use({v})"]

    def _call(self, v: str, w: str) -> list[str]:
        return ["f()"]

    def _function_call(self, v: str, w: str) -> list[str]:
        return [self._random.choice(["f()", *(f"{name}()" for name in sorted(self._callable))])]

    def _lambda(self, v: str, w: str) -> list[str]:
        return [f"q = lambda: use({v})"]

    def _handed(self, v: str, w: str) -> list[str]:
        return ["def h():", f"    use({v})", f"    {w} = 1", "keep(h)"]

    def _del(self, v: str, w: str) -> list[str]:
        return [f"del {v}"] if self._random.random() < 0.3 else ["f()"]

    def _augmented(self, v: str, w: str) -> list[str]:
        return [f"{v} += f({w})"]

    def _pair(self, v: str, w: str) -> list[str]:
        return [f"a, b = f({v}), {w}"]

    def _walrus(self, v: str, w: str) -> list[str]:
        return [f"use(c and ({v} := {w}) and {v})"]

    def _choice(self, v: str, w: str) -> list[str]:
        return [f"use(({v} := 1) if f({w}) else ({w} := 2))"]

    def _comprehension(self, v: str, w: str) -> list[str]:
        return [f"use([({v} := {w}) for _ in c if {w}])"]

    def _generator(self, v: str, w: str) -> list[str]:
        return [f"q = (({v} := {w}) for _ in c if {w})"]

    def _consumed(self, v: str, w: str) -> list[str]:
        return [f"use(sum(({v} := {w}) for _ in c if {v}))"]

    def _resume(self, v: str, w: str) -> list[str]:
        return ["resume()"]

    def _assertion(self, v: str, w: str) -> list[str]:
        return [f"assert ({v} := {w})"]

    def _class(self, v: str, w: str) -> list[str]:
        return ["class C:", f"    use({v})", f"    q = f({w})"]

    def _if(self, v: str, w: str) -> list[str]:
        return ["if f():", *self._inner(), *self._maybe("else:")]

    def _elif(self, v: str, w: str) -> list[str]:
        head = ["if f():", *self._inner(), f"elif ({v} := {w}):", *self._inner()]
        return [*head, f"elif ({w} := f()):", *self._inner(), *self._maybe("else:")]

    def _while(self, v: str, w: str) -> list[str]:
        return [f"while ({v} := f({w})):", *self._inner(True), *self._maybe("else:")]

    def _endless(self, v: str, w: str) -> list[str]:
        return ["while True:", *self._inner(True), "    if f():", "        break"]

    def _for(self, v: str, w: str) -> list[str]:
        return [f"for {v} in f({w}):", *self._inner(True), *self._maybe("else:")]

    def _try(self, v: str, w: str) -> list[str]:
        head = ["try:", *self._inner(), f"except E as {w}:", *self._inner()]
        return [*head, *self._maybe("else:"), *self._maybe("finally:")]

    def _two_handlers(self, v: str, w: str) -> list[str]:
        head = ["try:", *self._inner(), f"except E as {w}:", *self._inner()]
        return [*head, "except:", *self._inner(), *self._maybe("else:")]

    def _groups(self, v: str, w: str) -> list[str]:
        head = [
            "try:",
            *self._inner(),
            f"except* E as {w}:",
            *self._inner(no_jump=True, in_loop=False),
        ]
        last = [f"except* F as {v}:", *self._inner(no_jump=True, in_loop=False)]
        return [*head, *last, *self._maybe("else:"), *self._maybe("finally:")]

    def _finally(self, v: str, w: str) -> list[str]:
        return ["try:", *self._inner(), "finally:", *self._inner()]

    def _with(self, v: str, w: str) -> list[str]:
        return [f"with suppress() as {v}:", *self._inner()]

    def _match(self, v: str, w: str) -> list[str]:
        head = [f"match f({w}):", "    case 1:", *("    " + x for x in self._inner())]
        head += [f"    case [{v}, {w}x] if ({w} := f({v})):", *("    " + x for x in self._inner())]
        last = [*("    " + x for x in self._inner())]
        return [*head, *(["    case _:", *last] if self._random.random() < 0.5 else [])]

    def _jump(self, v: str, w: str) -> list[str]:
        jumps = ["raise E"]
        if not self._no_jump:
            jumps += ["return"] if self._in_function else []
            jumps += ["break", "continue"] if self._in_loop else []
        return [self._random.choice(jumps)]
