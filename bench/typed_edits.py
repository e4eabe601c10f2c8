"""How long an editor waits for findings while somebody types into a script of 300 lines.

A real `distify server` gets one edit after the other over its pipes. Of each edit two answers are
timed from the moment that it is sent: what is told at once, which is what was known, moved; and
what was found in the new text. Beside them a whole look at the same texts is timed in this
process, without a server. All are medians of several rounds, in turns.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.editor import Editor  # noqa: E402  (run as a script, not as a module)
from bench.long_scripts import SCRIPTS  # noqa: E402
from bench.page import put  # noqa: E402
from distify.assistant.server.editor_looks import Looks  # noqa: E402

PAGE = ROOT / "docs" / "benchmarks.md"
ROUNDS = 5
KEYS = 0.3  # seconds between two keys: each of these texts begins to be looked at


class Edit(NamedTuple):
    """What stands in all of the scripts, once at least, and what somebody makes of it."""

    was: str
    now: str


BLOCK = "    return tp, fp, fn, tn\n"
EDITS = {
    "a comment is typed": Edit(BLOCK, f"{BLOCK}    # checked by hand, {{}}\n"),
    "a blank line is added": Edit(BLOCK, f"{BLOCK}{{blank}}"),
    "a string is changed": Edit('"baseline"', '"baseline {}"'),
    "a number is changed": Edit("steps=20", "steps=3{}"),
    "a line is added in a function": Edit(BLOCK, f"    log.info({{}})\n{BLOCK}"),
    "a line is half typed": Edit(BLOCK, f"    log.info({{}}\n{BLOCK}"),
}


class Waits(NamedTuple):
    """Seconds from an edit to what is told."""

    at_once: float
    full: float


def edited(text: str, edit: Edit, number: int) -> str:
    """The text of a script after an edit, unlike that of any other number."""
    return text.replace(edit.was, edit.now.format(number, blank="\n" * (number + 1)), 1)


async def waits(editor: Editor, path: Path, version: int, text: str) -> Waits:
    """How long an editor waits for both answers of an edit."""
    begin = time.perf_counter()
    editor.change(path, version, text)
    await editor.next()
    at_once = time.perf_counter() - begin
    await editor.next()
    return Waits(at_once, time.perf_counter() - begin)


async def while_typing(editor: Editor, path: Path, version: int, texts: list[str]) -> list[float]:
    """How long an editor waits for a first answer of each key while earlier ones are looked at."""
    found = []
    for number, text in enumerate(texts):
        begin = time.perf_counter()
        editor.change(path, version + number, text)
        while (await editor.next()).version != version + number:
            pass
        found.append(time.perf_counter() - begin)
        await asyncio.sleep(max(0.0, KEYS - found[-1]))
    while (await _next_or_nothing(editor)) is not None:
        pass
    return found


async def _next_or_nothing(editor: Editor) -> object:
    try:
        return await asyncio.wait_for(editor.told.get(), 3.0)
    except asyncio.TimeoutError:
        return None


class Figures(NamedTuple):
    """Of a kind of edit of one script: what an editor waits, and what a look takes."""

    waits: list[Waits]
    looks: list[float]


async def measured(folder: Path, name: str, rounds: int) -> tuple[dict[str, Figures], list[float]]:
    """The figures of one script by kinds of edits, and its first answers while keys go on."""
    text, path, looks = SCRIPTS[name](), folder / "train.py", Looks()
    found = {kind: Figures([], []) for kind in EDITS}
    editor = Editor()
    try:
        await editor.begin(folder)
        editor.open(path, text)
        await editor.next()
        looks.at(str(path), text)
        versions = iter(range(2, 10_000))
        for number in range(rounds):
            for kind, edit in EDITS.items():
                new = edited(text, edit, number)
                found[kind].waits.append(await waits(editor, path, next(versions), new))
                begin = time.perf_counter()
                looks.at(str(path), new)
                found[kind].looks.append(time.perf_counter() - begin)
        keys = list(typed_words(text))
        firsts = await while_typing(editor, path, next(versions), keys)
        await editor.shutdown_async(None)
    finally:
        await editor.end()
    return found, firsts


def typed_words(text: str) -> Iterator[str]:
    """The text at each key of a line that somebody types into a function."""
    line = '    log.info("%d of %d", tp, fp)'
    for upto in range(5, len(line) + 1):
        yield text.replace(BLOCK, f"{line[:upto]}\n{BLOCK}", 1)


def ms(seconds: list[float]) -> float:
    return 1000 * statistics.median(seconds)


def rows(name: str, found: dict[str, Figures], firsts: list[float]) -> Iterator[str]:
    for kind, (told, looks) in found.items():
        at_once, full, look = ms([w.at_once for w in told]), ms([w.full for w in told]), ms(looks)
        ratios = f"{at_once / look:.2f} | {full / look:.2f}"
        yield f"| {name}: {kind} | {at_once:.0f} ms | {full:.0f} ms | {look:.0f} ms | {ratios} |"
    worst = 1000 * max(firsts)
    yield f"| {name}: {len(firsts)} keys, the slowest of them | {worst:.0f} ms | | | | |"


def table(rounds: int) -> str:
    """The figures as a page shows them."""
    lines = [
        "| an edit of 300 lines | at once | full | a look | at once ÷ look | full ÷ look |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name in SCRIPTS:
        with tempfile.TemporaryDirectory() as folder:
            lines += rows(name, *asyncio.run(measured(Path(folder), name, rounds)))
    return "\n".join(lines)


def main() -> None:
    """Measures, prints, and with `--write` puts the figures into the documentation."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    chosen = parser.parse_args()
    figures = table(chosen.rounds)
    print(figures)
    if chosen.write:
        put(PAGE, "typing", figures + "\n")


if __name__ == "__main__":
    main()
