"""Python that has nothing to do with training, and that distify must read and leave alone."""

from __future__ import annotations

import sys

from .choices import BREAK, INDENT, Choices, Lines

# Indented by four spaces; `@` in a name stands for a number of its own.
SNIPPETS = """
def area_@(width: float, height: float = 1.0, *rest: int, scale=2, **options) -> float:
    return width * height * scale if width > 0 else -width
---
class Point_@:
    kind: str = "point"
    __slots__ = ("x", "y")
    def __init__(self, x, y):
        self.x, self.y = x, y
    @property
    def norm(self):
        return (self.x ** 2 + self.y ** 2) ** 0.5
    @staticmethod
    def origin():
        return Point_@(0, 0)
---
async def fetch_@(source):
    async with source as stream:
        async for part in stream:
            yield await part
---
counter_@ = 0
def bump_@():
    global counter_@
    counter_@ += 1
    return counter_@
---
def outer_@():
    count = 0
    def inner():
        nonlocal count
        count += 1
        return count
    return inner
---
if (n_@ := len("abc")) > 2:
    values_@ = [y for x in range(n_@) if (y := x % 2)]
else:
    values_@ = []
---
name_@ = f"{'a' + f'{1 + 1:>{4}}'!r} and {{}}"
---
square_@ = lambda x, *, y=2: x ** y
---
table_@ = {key: value for key, value in zip("ab", (1, 2))}
pairs_@ = sorted(table_@.items(), key=lambda pair: -pair[1])
---
größe_@ = 3
données_@ = {"é": größe_@}
---
try:
    level_@ = int("3")
except (ValueError, TypeError) as error:
    level_@ = 0
else:
    level_@ += 1
finally:
    done_@ = True
---
for i_@ in range(3):
    if i_@ == 1:
        continue
    last_@ = i_@
else:
    last_@ = None
---
while True:
    break
---
total_@: int = sum(i * i for i in range(5))
bits_@ = 0b1010 ^ 0x_ff | 0o17 << 2 & ~1
---
first_@, *rest_@ = [1, 2, 3]
---
def decorated_@(function):
    return function
@decorated_@
def twice_@(x, /, y):
    return x * 2 @ y if False else (x, y)
---
assert True, "never"
del_@ = [1, 2]
del del_@[0]
---
matrix_@ = [[1, 2], [3, 4]]
flat_@ = [x for row in matrix_@ for x in row if x]
---
raw_@ = [r"\\d+" "x" f"{1}", rb"\\x00" b"y"]
---
from contextlib import suppress
with suppress(OSError):
    open("no such file").close()
---
hvd = "not Horovod"
---
gpus = ["none"]
gpu = gpus[0]
---
shard = 3
---
broadcast_done = False
---
def result(values):
    return values
---
optimizer_ = None
---
value, steps = 1, 2
---
def gradient_penalty_@(scores):
    hvd, gpus = scores, [scores]
    return [gpu for gpu in gpus] + [hvd]
---
def shadow_@(tf):
    return tf.keras
---
class Config_@(dict):
    optimizer = "adam"
    def fit(self, x, y=None, verbose=0):
        return self
    def save(self, path):
        return path
    def apply_gradients(self, pairs):
        return list(pairs)
config_@ = Config_@()
config_@.fit([1], verbose=2).save("nowhere")
---
callbacks_@ = []
callbacks_@.append(print)
---
def generator_@():
    received = yield 1
    yield from (received, 2)
---
def ellipsis_@() -> "list[int]": ...
"""
MATCH = """
def match_@(command):
    match command:
        case [1, *rest] if rest:
            return rest
        case {"lr": rate, **others} | {"rate": rate, **others}:
            return rate
        case Exception(args=(message,)) as error:
            return message, error
        case _:
            return None
match = match_@
case = match([1, 2])
"""
GROUPS = """
try:
    pass
except* ValueError as group:
    errors_@ = group.exceptions
"""
TYPES = """
type Pair_@[T] = tuple[T, T]
def first_@[T: int](pair: Pair_@[T]) -> T:
    return pair[0]
nested_@ = f"{"quoted"} {f"{1}"}"
"""


def _known() -> list[str]:
    found = [snippet.strip("\n") for snippet in SNIPPETS.split("\n---\n")]
    for least, text in (((3, 10), MATCH), ((3, 11), GROUPS), ((3, 12), TYPES)):
        if sys.version_info >= least:
            found.append(text.strip("\n"))
    return found


KNOWN = _known()


def noise(choices: Choices, most: int, least: int = 0) -> Lines:
    """A few statements for the level of a module."""
    found: Lines = []
    for snippet in choices.some(KNOWN, most, least):
        text = snippet.replace("@ y", "\0 y").replace("\n@", "\n\0").replace("    @", "    \0")
        text = text.replace("_@", f"_{choices.fresh()}").replace("\0", "@")
        found += [line.rstrip() for line in text.split("\n")]
    return found


def docstring(choices: Choices) -> Lines:
    """What may stand above everything."""
    return choices.one(
        [],
        ['"""Trains a model."""'],
        [f'"""Trains a model.{BREAK}{BREAK}{INDENT}model.fit(x, y)  # as it was{BREAK}"""'],
        ["#!/usr/bin/env python3"],
        ["# -*- coding: utf-8 -*-", "'Trains.'"],
        ['"""Trains."""', "from __future__ import annotations"],
    )
