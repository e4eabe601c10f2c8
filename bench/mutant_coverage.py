"""Which tests are asked about a mutant: those that execute it, the likeliest to notice first."""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import operator
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from bench.mutations import Mutant

BUDGET = 2.0  # seconds of tests that are asked about one mutant
LONG = 0.2  # seconds of a test that is asked last
TEXT = re.compile(r"'([^']{3,})'")
WORD = re.compile(r"[A-Za-z_]{3,}")  # of a name, also where it stands in a pattern

Tests = dict[str, dict[int, list[str]]]  # of each line of each file


class Coverage:
    """Which tests execute each line, and how many seconds each takes while it is watched.

    A line's tests are the bits of a number: as lists of names they are gigabytes, and a fork, whose
    memory is limited, has no room for those. The test "" stands for what runs at import.
    """

    def __init__(self, lines: dict[str, dict[int, int]], seconds: dict[str, float]) -> None:
        self.lines, self.seconds, self.budget = lines, seconds, BUDGET
        self.names = ["", *seconds]
        self.texts: dict[str, str] = {}  # what each test says

    @classmethod
    def of_names(cls, tests: Tests, seconds: dict[str, float]) -> Coverage:
        bits = {name: 1 << number for number, name in enumerate(["", *seconds])}
        lines = {
            path: {line: sum(bits[name] for name in set(names)) for line, names in found.items()}
            for path, found in tests.items()
        }
        return cls(lines, seconds)

    @classmethod
    def load(cls, file: Path) -> Coverage:
        lines, seconds = json.loads(file.read_text())
        masks = {p: {int(n): int(tests, 16) for n, tests in ls.items()} for p, ls in lines.items()}
        return cls(masks, seconds)

    def save(self, file: Path) -> None:
        lines = {p: {n: hex(tests) for n, tests in ls.items()} for p, ls in self.lines.items()}
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps([lines, self.seconds]))

    def of(self, mutant: Mutant) -> list[str]:
        """The tests to ask about a mutant, not more than the budget allows.

        So a mutant that lives may still die of some other test.
        """
        lines = self.lines.get(mutant.path, {})
        if mutant.function and not self.runs_at_import(mutant):
            found = [lines.get(line, 0) for line in mutant.lines]
        else:
            found = list(lines.values())
        asked = self._named(found) - {""}
        if not mutant.function:  # a table may be asked itself, by what executes none of its lines
            words = _words(mutant)
            tests = (t for t in self.seconds if self._says(t, words) or self._knows(t, mutant))
            asked.update(tests)
        chosen = self._in_order(mutant, asked)
        spent = itertools.accumulate(self.seconds[test] for test in chosen)
        return [test for test, sum_ in zip(chosen, spent) if sum_ <= self.budget] or chosen[:1]

    def runs_at_import(self, mutant: Mutant) -> bool:
        lines = self.lines.get(mutant.path, {})
        return any(lines.get(line, 0) & 1 for line in mutant.lines)

    def _named(self, found: Iterable[int]) -> set[str]:
        tests = functools.reduce(operator.or_, found, 0)
        return {name for number, name in enumerate(self.names) if tests >> number & 1}

    def _in_order(self, mutant: Mutant, tests: Iterable[str]) -> list[str]:
        """Those that know the module first, and that say what is changed; then one of each file.

        Tests that stand together often ask the same, so within a file they are mixed.
        """
        words = _words(mutant)
        turns: Counter[str] = Counter()
        keys: dict[str, tuple[object, ...]] = {}
        for test in sorted(tests, key=_mixed):
            file = test.partition("::")[0]
            knows, says = self._knows(test, mutant), self._says(test, words)
            keys[test] = not knows, not says, self.seconds[test] > LONG, turns[file]
            turns[file] += 1
        return sorted(keys, key=keys.__getitem__)

    def _says(self, test: str, words: Iterable[str]) -> bool:
        return any(word in self.texts.get(test, test) for word in words)

    def _knows(self, test: str, mutant: Mutant) -> bool:
        """Whether a test stands in the module's own file, or where something of it is imported."""
        module = Path(mutant.path)
        is_own = module.stem.strip("_") in test.partition("::")[0]
        return is_own or f"{'.'.join(module.with_suffix('').parts)}\n" in self.texts.get(test, "")


def _words(mutant: Mutant) -> list[str]:
    """What is changed, as a test may say it."""
    return [word for text in TEXT.findall(mutant.old) for word in WORD.findall(text)[-1:]]


def _mixed(test: str) -> str:
    return hashlib.sha256(test.encode()).hexdigest()
