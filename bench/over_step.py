"""What a loop of 64 steps keeps while its gradient is taken, by schedule: docs/memory_step.svg.

The functions that D501 writes are run on numbers: each dot is a step, run for the first time or
again, or the gradient of one; so the picture is the same on every machine.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.curves import COLOURS, text  # noqa: E402  (run as a script, not as a module)
from bench.taped import Tape, ran  # noqa: E402
from distify.codemods.rewrites import _loop_functions  # noqa: E402
from distify.codemods.rewrites._loop_functions import Form  # noqa: E402
from distify.codemods.rewrites._schedules import BINOMIAL, HALVES, SEGMENTS  # noqa: E402

PICTURE = ROOT / "docs" / "memory_step.svg"
STEPS, SNAPSHOTS = 64, 5
WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 560, 190, 40, 26, 40
FORMS = {
    "sqrt": Form(SEGMENTS),
    "halves": Form(HALVES),
    "binomial": Form(BINOMIAL, snapshots=SNAPSHOTS),
}


def courses() -> dict[str, Sequence[int]]:
    """How many states lie there over a step, by the name of the schedule."""
    found: dict[str, Sequence[int]] = {"none": _plain()}
    for name, form in FORMS.items():
        written = _loop_functions.written(form, "run", first_part="first_part")
        found[name] = ran(written, "run", STEPS).course
    return found


def _plain() -> Sequence[int]:
    tape, state = Tape(), 0
    for item in range(STEPS):
        state = tape.step(item, state)
    tape.gradient()
    return tape.course


def drawn(found: Mapping[str, Sequence[int]]) -> str:
    """The figure: time to the right, what is kept upwards."""
    longest = max(map(len, found.values()))
    most = max(max(course) for course in found.values())
    lines = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#888"/>']
    for share in (0, most // 2, most):
        height = HEIGHT * (1 - share / most)
        lines.append(text(-6, height + 4, str(share), anchor="end"))
        lines.append(f'<path d="M0 {height:.1f}H{WIDTH}" stroke="#888" stroke-opacity=".25"/>')
    lines.append(text(4 - LEFT, -12, f"states kept, of {STEPS}", anchor="start"))
    lines.append(text(WIDTH / 2, HEIGHT + 26, "steps run, and run again, and their gradients"))
    for name, course in found.items():
        lines += _line(name, course, longest, most)
    body = "\n".join(lines)
    size = f"0 0 {WIDTH + LEFT + 12} {HEIGHT + TOP + BOTTOM}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" font-family="sans-serif" '
        f'font-size="11" fill="#888">\n<g transform="translate({LEFT},{TOP})">\n{body}\n</g>\n'
        "</svg>\n"
    )


def _line(name: str, course: Sequence[int], longest: int, most: int) -> list[str]:
    at = [(n * WIDTH / longest, HEIGHT * (1 - kept / most)) for n, kept in enumerate(course)]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in at)
    colour, place = COLOURS[name], 20 + 16 * list(COLOURS).index(name)
    said = f"{name}: {len(course) - STEPS} steps run, at most {max(course)} kept"
    return [
        f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>',
        text(WIDTH - 8, place, said, "end", 11, colour),
    ]


if __name__ == "__main__":
    PICTURE.write_text(drawn(courses()), encoding="utf-8")
    print(f"{PICTURE.relative_to(ROOT)} written")
