"""Projects of many modules: a training script, and what it imports in four shapes."""

from __future__ import annotations

from pathlib import Path
from typing import Callable

MODULE = '''\
"""Part {number}."""

import math
{imports}

SCALE = {number} + 1


class Shape{number}:
    """A thing with a size."""

    def __init__(self, size):
        self.size = size

    def area(self):
        return math.pi * self.size**2


def scaled_{number}(value):
    total = {before}
    for part in range(value):
        if part % 2:
            total += part * SCALE
        else:
            total -= part
    return total
'''
MODEL = """\
import tensorflow as tf
{imports}


def build(width=8):
    model = tf.keras.Sequential([tf.keras.layers.Dense({before}), tf.keras.layers.Dense(1)])
    model.compile(tf.keras.optimizers.Adam(0.01), "mse")
    return model
"""
TRAIN = """\
import numpy as np

from pkg.model import build


def main():
    x = np.ones((64, 4), "float32")
    y = np.ones((64, 1), "float32")
    model = build()
    model.fit(x, y, epochs=2)
    model.save("out.h5")


if __name__ == "__main__":
    main()
"""
RING = 5  # modules that import each other
DEEP = 8  # packages in each other


def _flat(number: int) -> str:
    return f"m{number}"


def _deep(number: int) -> str:
    return ".".join([*(f"p{level}" for level in range(number % DEEP)), f"m{number}"])


def _ring(number: int) -> list[int]:
    """The one before, and, for the first of each five, the last of them."""
    return [number - 1, *([number + RING - 1] if number % RING == 0 else [])]


# By shape: the module's name below the package, and which others it imports.
SHAPES: dict[str, tuple[Callable[[int], str], Callable[[int], list[int]]]] = {
    "chain": (_flat, lambda number: [number - 1]),
    "cycles": (_flat, _ring),
    "diamonds": (_flat, lambda number: [number - 1, number - 2]),
    "deep packages": (_deep, lambda number: [number - 1]),
}


def write(folder: Path, shape: str, modules: int) -> None:
    """A project of so many modules, the script and its model among them."""
    name, needs = SHAPES[shape]
    count = modules - 2
    files = {"train.py": TRAIN, "pyproject.toml": '[project]\nname = "generated"\n'}
    for number in range(count):
        wanted = [each for each in needs(number) if 0 <= each < count]
        path = f"pkg/{name(number).replace('.', '/')}.py"
        files[path] = MODULE.format(number=number, **_parts(wanted, name, "value - 1"))
    files["pkg/model.py"] = MODEL.format(**_parts([count - 1], name, "width"))
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        if path.startswith("pkg/"):
            for package in [place.parent, *place.parent.parents][: path.count("/")]:
                (package / "__init__.py").touch()


def _parts(wanted: list[int], name: Callable[[int], str], argument: str) -> dict[str, str]:
    imports = "\n".join(f"from pkg.{name(each)} import scaled_{each}" for each in wanted)
    before = " + ".join(f"scaled_{each}({argument})" for each in wanted) or "0"
    return {"imports": imports, "before": before}
