"""How much memory a training step needs when layers are run again instead of being kept.

Four schedules (none, segments of √t layers, halves, and Griewank's binomial one as the bound), in
eager mode, in a compiled step and in `fit`, for networks of t equal layers. Memory is counted in
activations: the output of one layer is 1. Each figure is a process of its own (`memory_step.py`);
time is the processor's (on a GPU, the clock's), as a ratio to the step that keeps everything.
Beside them stands the same algorithm in the language that it was defined for
(`tests/checkpointing`).

On a GPU, with nothing installed but TensorFlow: `python bench/memory.py --device GPU:0 --batch
262144 --modes eager function`. `--write` puts tables and the figure into `docs/`.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.curves import Curve, Panel, drawn  # noqa: E402  (run as a script, not as a module)
from bench.page import put  # noqa: E402

STEP, ORACLE = ROOT / "bench" / "memory_step.py", ROOT / "tests" / "checkpointing" / "curves.py"
PAGE, FIGURE = ROOT / "docs" / "memory.md", ROOT / "docs" / "memory.svg"
BYTES = 32 * 4  # of one example in one activation
MODES = {"eager": "eager", "function": "`tf.function`", "fit": "Keras, `fit`"}
SCHEDULES = ("none", "sqrt", "halves", "binomial")
# To trace a deep graph in which layers are run again takes minutes.
DEEPEST = {
    ("function", "binomial"): 64,
    ("fit", "binomial"): 64,
    ("fit", "halves"): 128,
}
ITERATIONS = (16, 32, 64, 128, 256)
MOST = 0.2  # of the memory as written, for halves of 64 layers in a compiled step
GROWTH = 1.3  # for each doubling of the depth


class Figure(NamedTuple):
    """One step: memory in activations, seconds, runs of layers (traced once, in a graph)."""

    memory: float
    seconds: float
    first: float
    runs: int


Figures = dict[tuple[str, str, int], Figure]


def step(schedule: str, mode: str, depth: int, options: argparse.Namespace, *more: str) -> Figure:
    """What a process of its own measures."""
    command = [sys.executable, str(STEP), schedule, mode, str(depth), "--device", options.device]
    done = subprocess.run(
        [*command, "--batch", str(options.batch), *more],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{schedule}, {mode}, {depth} layers: {done.stderr[-2000:]}")
    found = json.loads(done.stdout.splitlines()[-1])
    memory = found["bytes"] / (BYTES * options.batch)
    print(
        f"{mode:9}{schedule:9}{depth:4}  {memory:7.1f}  {found['seconds']:.3f} s", file=sys.stderr
    )
    return Figure(memory, found["seconds"], found["first"], found["runs"])


def measured(options: argparse.Namespace) -> Figures:
    """Every figure."""
    return {
        (mode, schedule, depth): step(schedule, mode, depth, options)
        for mode in options.modes
        for schedule in SCHEDULES
        for depth in options.depths
        if depth <= DEEPEST.get((mode, schedule), depth)
    }


def table(found: Figures, mode: str, depths: list[int]) -> list[str]:
    """Memory of each schedule, and in brackets its time as a ratio."""
    head = "".join(f" t = {depth} |" for depth in depths)
    rows = [f"| {MODES[mode]} |{head}", "|---|" + "---:|" * len(depths)]
    for schedule in SCHEDULES:
        cells = [cell(found, mode, schedule, depth) for depth in depths]
        rows.append(f"| {schedule} | {' | '.join(cells)} |")
    return rows


def cell(found: Figures, mode: str, schedule: str, depth: int) -> str:
    one, plain = found.get((mode, schedule, depth)), found[mode, "none", depth]
    if one is None:
        return "–"
    return f"{one.memory:.1f}" + (f" ({one.seconds / plain.seconds:.1f} ×)" if one != plain else "")


WAYS = {
    "in any order": ["--by-hand"],
    "in any order, the setting": ["--by-hand", "--setting"],
    "in order": [],
    "in order, the setting": ["--setting"],
}


def orders(options: argparse.Namespace) -> list[str]:
    """What the order of gradients costs, and TensorFlow's setting `dependency_optimization` off.

    In `fit`: the blocks of the other modes are run in a good order by chance.
    """
    rows = [f"| Keras, `fit`, t = 16 | {' | '.join(WAYS)} |", "|---|" + "---:|" * len(WAYS)]
    for schedule in SCHEDULES[1:]:
        found = [step(schedule, "fit", 16, options, *way) for way in WAYS.values()]
        cells = [f"{one.memory:.1f} ({one.seconds / found[0].seconds:.2f} ×)" for one in found]
        rows.append(f"| {schedule} | {' | '.join(cells)} |")
    return rows


def oracle() -> dict[str, Any]:
    """The algorithm in its own language, for loops of so many iterations."""
    command = [sys.executable, str(ORACLE), *map(str, ITERATIONS)]
    found: dict[str, Any] = json.loads(
        subprocess.run(command, capture_output=True, check=True).stdout
    )
    return found


def language(found: dict[str, Any]) -> list[str]:
    """The oracle's table."""
    rows = ["| iterations | steps t | cells, none | cells, halves | steps, halves / t |"]
    rows.append("|---:|---:|---:|---:|---:|")
    for program, none, halves in zip(found["program"], found["none"], found["halves"]):
        t = program["steps"]
        again = f"{halves['steps'] / t:.1f}"
        rows.append(
            f"| {program['iterations']} | {t} | {none['cells']} | {halves['cells']} | {again} |"
        )
    return rows


def panels(found: Figures, depths: list[int], cells: dict[str, Any]) -> list[Panel]:
    """TensorFlow's modes, and beside them the seed's language."""
    result = []
    for mode, name in MODES.items():
        curves = [
            Curve(
                schedule,
                [
                    (d, found[mode, schedule, d].memory)
                    for d in depths
                    if (mode, schedule, d) in found
                ],
            )
            for schedule in SCHEDULES
        ]
        result.append(
            Panel(f"TensorFlow, {name.replace('`', '')}", "layers", "activations", curves)
        )
    steps = [program["steps"] for program in cells["program"]]
    curves = [
        Curve(schedule, list(zip(steps, [each["cells"] for each in cells[schedule]])))
        for schedule in ("none", "halves")
    ]
    return [*result, Panel("the core language", "steps", "cells", curves)]


def broken(found: Figures, depths: list[int]) -> list[str]:
    """The promises that do not hold."""
    halves = [found["function", "halves", depth].memory for depth in depths]
    wrong = []
    for fewer, more, before, after in zip(depths, depths[1:], halves, halves[1:]):
        if after > before * GROWTH ** math.log2(more / fewer):
            wrong.append(f"{after / before:.2f} times the memory from {fewer} to {more} layers")
    if 64 in depths and halves[depths.index(64)] > MOST * found["function", "none", 64].memory:
        wrong.append(f"64 layers: more than {MOST} of the memory as written")
    return wrong


def main() -> int:
    """Prints the tables; exit code 1 if a promise does not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="CPU:0")
    parser.add_argument("--batch", type=int, default=8192)
    parser.add_argument("--depths", type=int, nargs="+", default=[16, 32, 64, 128, 256])
    parser.add_argument("--modes", choices=MODES, nargs="+", default=list(MODES))
    parser.add_argument("--write", action="store_true", help="into docs/memory.md and its figure")
    options = parser.parse_args()
    if options.write and len(options.modes) < len(MODES):
        parser.error("--write needs all modes")
    found, cells = measured(options), oracle()
    parts = [table(found, mode, options.depths) for mode in options.modes]
    figures = "\n\n".join("\n".join(rows) for rows in [*parts, orders(options), language(cells)])
    print(figures)
    if options.write:
        put(PAGE, "memory", figures + "\n")
        FIGURE.write_text(drawn(panels(found, options.depths, cells)), encoding="utf-8")
    wrong = broken(found, options.depths) if "function" in options.modes else []
    print(*wrong, sep="\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
