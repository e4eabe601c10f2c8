"""Sixty-six shapes of programs that grow: none of them may cost more than it grows.

`shapes.py` holds what real programs are made of; here is what somebody thinks of who wants a look
to hang: everything that can hold itself twice, everything that nests. A line more may double what a
walk sees. `python bench/exponents.py` tells for each shape what a look at 8, 16 and 32 of its lines
costs, in calls; with names, of those alone. A shape that doubles is an error.
"""

from __future__ import annotations

import argparse
import math
import subprocess
import sys
from pathlib import Path
from typing import Callable

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.shapes import FIT, HEAD  # noqa: E402  (run as a script, not as a module)
from bench.shapes import SHAPES as REAL  # noqa: E402

SIZES = (8, 16, 32)
# Where a longer one ends otherwise, as something refuses it and repairs are tried, each a look of
# its own: those that all end so. What doubles never ends there.
LATER = (32, 64, 128)
MOST = 2.6  # the exponent, by the length of the text, of a lattice; what doubles has none
PATIENCE = 60.0  # seconds
MODEL_OF = FIT.replace("tf.keras.Sequential([Dense(1)])", "{}")

# What each line makes of what the line before has made: first line, line, and the fit.
DOUBLED = {
    "lists": ("a = [x]", "a = [a, a]", FIT),
    "tuples": ("a = (x,)", "a = (a, a)", FIT),
    "sets": ("a = {1}", "a = {*a, *a}", FIT),
    "dictionaries": ("a = {'a': x}", "a = {'a': a, 'b': a}", FIT),
    "lists laid out": ("a = [x]", "a = [*a, *a]", FIT),
    "dictionaries laid out": ("a = {'a': x}", "a = {**a, **a}", FIT),
    "lists added": ("a = [x]", "a = a + a", FIT),
    "lists appended": ("a = [x]", "a.append(a)", FIT),
    "lists extended": ("a = [x]", "a.extend(a)", FIT),
    "dictionaries updated": ("a = {'a': x}", "a.update(a, b=a)", FIT),
    "names in a ring": ("a, b = x, y", "a, b = (b, a), (a, b)", FIT),
    "numbers": ("a = 1", "a = a + a", FIT),
    "products": ("a = 2", "a *= a", FIT),
    "texts": ("a = 'a'", "a = a + a", FIT),
    "texts formatted": ("a = 'a'", "a = f'{a}{a}'", FIT),
    "conditions of one name": ("a = len(x)", "a = a if a else a", FIT),
    "either or": ("a = len(x)", "a = a and a or a", FIT),
    "comparisons": ("a = len(x)", "a = a < a < a", FIT),
    "elements": ("a = [x]", "a = a[len(a)][len(a)]", FIT),
    "calls of builtins": ("a = [x]", "a = list(zip(a, a))", FIT),
    "comprehensions": ("a = [x]", "a = [(b, c) for b in a for c in a]", FIT),
    "lambdas": ("a = lambda: x", "a = lambda f=a, g=a: (f(), g())", FIT),
    "attributes": ("a = type('A', (), {})()", "a.a, a.b = a, a", FIT),
    "arrays joined": ("a = x", "a = np.concatenate([a, a])", FIT.replace("(x, y", "(a, y")),
    "tensors joined": ("a = x", "a = tf.concat([a, a], 0)", FIT.replace("(x, y", "(a, y")),
    "arrays added": ("a = x", "a = a + a", FIT.replace("(x, y", "(a, y")),
    "arrays cut": ("a = x", "a = a[: len(a)]", FIT.replace("(x, y", "(a, y")),
    "callbacks": ("c = []", "c = [*c, *c]", FIT.replace("epochs=2", "epochs=2, callbacks=c")),
    "callbacks in lists": ("c = []", "c = c + c", FIT.replace("epochs=2", "callbacks=c")),
    "models in models": ("m = Dense(1)", "m = tf.keras.Sequential([m, m])", MODEL_OF.format("m")),
    "layers added": (
        "i = h = Input((8,))",
        "h = tf.keras.layers.add([h, h])",
        MODEL_OF.format("tf.keras.Model(i, h)"),
    ),
    "layers called twice": (
        "i = h = Input((8,)); l = Dense(8)",
        "h = l(h) + l(h)",
        MODEL_OF.format("tf.keras.Model(i, h)"),
    ),
    "optimizers in lists": (
        "o = [tf.keras.optimizers.SGD(0.1)]",
        "o = [*o, *o]",
        FIT.replace("tf.keras.optimizers.SGD(0.1)", "o[0]"),
    ),
    "rates": ("r = 0.1", "r = r * 0.5 + r * 0.5", FIT.replace("SGD(0.1)", "SGD(r)")),
}
SETS = ("d = tf.data.Dataset.from_tensor_slices((x, y))", FIT.replace("(x, y,", "(d,"))
DATASETS = {
    "datasets zipped": "d = tf.data.Dataset.zip((d, d))",
    "datasets one behind the other": "d = d.concatenate(d)",
    "datasets drawn from": "d = tf.data.Dataset.sample_from_datasets([d, d])",
    "datasets in functions": "d = d.apply(lambda each: each.concatenate(d))",
}
DOUBLED |= {name: (SETS[0], line, SETS[1]) for name, line in DATASETS.items()}


def doubled(name: str) -> Callable[[int], str]:
    """A program in which each line holds what the line before has made, twice."""
    first, line, end = DOUBLED[name]
    return lambda number: HEAD + f"{first}\n" + f"{line}\n" * number + end


def functions(number: int) -> str:
    """Functions that each call the one before twice; the last one gives the model."""
    head = "def f0():\n    return tf.keras.Sequential([Dense(1)])\n\n\n"
    each = "def f{}(a=None):\n    return f{}() or f{}()\n\n\n"
    made = "".join(each.format(n, n - 1, n - 1) for n in range(1, number + 1))
    return HEAD + head + made + MODEL_OF.format(f"f{number}()")


def arguments(number: int) -> str:
    """Functions that hand on what they are given, twice."""
    made = "def f0(*a, **k):\n    return a\n\n\n"
    each = "def f{}(*a, **k):\n    return f{}(*a, *a, **k)\n\n\n"
    made += "".join(each.format(n, n - 1) for n in range(1, number + 1))
    return HEAD + made + f"f{number}(x)\n" + FIT


def classes(number: int) -> str:
    """A lattice of classes."""
    made = "class A0(tf.keras.Model):\n    pass\n\n\nclass B0(tf.keras.Model):\n    pass\n\n\n"
    each = "class A{0}(A{1}, B{1}):\n    pass\n\n\nclass B{0}(A{1}, B{1}):\n    pass\n\n\n"
    made += "".join(each.format(n, n - 1) for n in range(1, number + 1))
    return HEAD + made + MODEL_OF.format(f"A{number}()")


def stores(number: int) -> str:
    """Functions that each put what a global name holds there once more."""
    each = "def f{0}():\n    global a\n    a = [a, a]\n\n\nf{0}()\n\n\n"
    return HEAD + "a = x\n\n\n" + "".join(map(each.format, range(number))) + FIT


def generators(number: int) -> str:
    """Generators that each go through the one before twice."""
    made = "def f0():\n    yield x, y\n\n\n"
    each = "def f{}():\n    yield from f{}()\n    yield from f{}()\n\n\n"
    made += "".join(each.format(n, n - 1, n - 1) for n in range(1, number + 1))
    return HEAD + made + FIT.replace("(x, y,", f"(f{number}(),")


def rings(number: int) -> str:
    """Functions each of which may call all others."""
    names = [f"f{n}" for n in range(number)]
    made = "".join(
        f"def {name}(a):\n    return {' + '.join(f'{other}(a)' for other in names)}\n\n\n"
        for name in names
    )
    return HEAD + made + "f0(1)\n" + FIT


def nested(opens: str, closes: str = "") -> Callable[[int], str]:
    """An expression in itself."""
    return lambda number: HEAD + f"a = {opens * number}x{closes * number}\n" + FIT


def blocks(line: str) -> Callable[[int], str]:
    """A statement in itself, as deep as Python takes it; the fit stands innermost."""

    def program(number: int) -> str:
        number = min(number, 18)  # "too many statically nested blocks"
        made = "".join("    " * n + line.format(n) + "\n" for n in range(number))
        end = "".join("    " * number + each for each in FIT.splitlines(keepends=True))
        return HEAD + made + end

    return program


NESTED: dict[str, Callable[[int], str]] = {
    "functions that call twice": functions,
    "arguments handed on": arguments,
    "a lattice of classes": classes,
    "global stores": stores,
    "generators of generators": generators,
    "a ring of functions": rings,
    "brackets": nested("[", "]"),
    "calls": nested("f(", ")"),
    "conditions in each other": blocks("if len(x) > {}:"),
}
SHAPES: dict[str, Callable[[int], str]] = {
    **{name: shape.program for name, shape in REAL.items()},
    **{name: doubled(name) for name in DOUBLED},
    **NESTED,
}


def calls(name: str, size: int) -> tuple[int, str]:
    """What a look at one program costs, and what became of it, found out in this process."""
    from distify.assistant import interpreter
    from distify.assistant.files.discovery import Target
    from distify.assistant.files.examine import examine_bytes
    from distify.codemods.model import Options

    interpreter.prepare()
    count = 0

    def profile(frame: object, event: str, _: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    data = SHAPES[name](size).encode()
    target = Target("x.py", "/nowhere/x.py", named=True)
    examine_bytes(target, SHAPES[name](1).encode(), Options())  # what is imported once
    sys.setprofile(profile)
    try:
        seen = examine_bytes(target, data, Options())
    finally:
        sys.setprofile(None)
    made = seen.migration
    codes = sorted({each.code for each in made.blocked}) if made else [str(seen.problem)]
    return count, " ".join(codes) or "migrated"


def ends(name: str, size: int, patience: float = PATIENCE) -> str:
    """What becomes of a program in a process of its own, as `distify check` looks at it."""
    command = [sys.executable, __file__, "--one", name, str(size)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=patience, check=False
        )
    except subprocess.TimeoutExpired:
        return "endless"
    return done.stdout.strip() or f"failed: {done.stderr[-300:]}"


def told(name: str, sizes: tuple[int, int, int] = SIZES) -> tuple[str, bool]:
    """A line about a shape, and whether it is all right."""
    found = [ends(name, size) for size in sizes]
    lengths = [len(SHAPES[name](size)) for size in sizes]
    if not all(each[0].isdigit() for each in found):
        return f"{name:32} {' | '.join(found)}", False
    counts = [int(each.split()[0]) for each in found]
    more = max(counts[-1] - counts[-2], 1) / max(counts[-2] - counts[-3], 1)
    longer = max(lengths[-1] - lengths[-2], 1) / max(lengths[-2] - lengths[-3], 1)
    exponent = math.log(more) / math.log(max(longer, 1.5))
    words = [each.partition(" ")[2] for each in found]
    if exponent > MOST and len(set(words)) > 1 and sizes == SIZES:
        return told(name, LATER)
    return f"{name:32} {counts[-1]:12,} calls, {exponent:5.2f}  {words[-1]}", exponent <= MOST


def main() -> int:
    """Prints a line for each shape; 1 where one costs too much."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        count, words = calls(chosen.one[0], int(chosen.one[1]))
        print(count, words)
        return 0
    wrong = 0
    for name in chosen.names or SHAPES:
        line, is_right = told(name)
        wrong += not is_right
        print(line if is_right else f"{line}  <<<", flush=True)
    print(f"{len(chosen.names or SHAPES)} shapes, {wrong} of them cost too much")
    return min(wrong, 1)


if __name__ == "__main__":
    raise SystemExit(main())
