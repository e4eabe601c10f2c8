"""How many broken results the static judge convicts, operator by operator.

    python bench/judged_mutants.py [--each N]     # N mutants an operator, of all examples

Each result of the examples is broken in one place, by the operators of tests/codemods/judge, and
judged as any result. A survivor is printed with its program and what was changed.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import random
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from distify.codemods.facts import Facts
from distify.codemods.facts.questions import QUESTIONS
from distify.codemods.gate import judging
from distify.codemods.judge.case import Case
from distify.codemods.judge.judge import judge
from distify.codemods.migrate import migrate
from distify.codemods.model import Options

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "codemods" / "judge"))  # the operators are the tests'
mutants: Any = import_module("mutants")


def results() -> Iterator[tuple[str, str, str, Options]]:
    """Each example that is migrated: its name, the text before and after, and the options."""
    for path in sorted((ROOT / "examples").rglob("*.py")):
        options = Options(tensorflow=(2, 20)) if path.parent.name == "keras3" else Options()
        text = path.read_text(encoding="utf-8")
        seen = migrate(text, options, path.name)
        if seen.steps:
            yield path.name, text, seen.after, options


def convicted(before: str, after: str, options: Options) -> list[str]:
    """The obligations that a result doesn't keep."""
    case = Case({"a.py": after}, {"a.py": before}, "a.py", options, QUESTIONS,
                lambda: Facts.of(after, options, "a.py"))  # fmt: skip
    return sorted({proof.obligation for proof in judge(case) if not proof.holds})


def is_other(text: str, broken: str) -> bool:
    """Whether a mutant can be read, and isn't the same program."""
    try:
        return ast.dump(ast.parse(broken)) != ast.dump(ast.parse(text))
    except SyntaxError:
        return False


def _changed(text: str, broken: str) -> str:
    lines = difflib.unified_diff(text.split("\n"), broken.split("\n"), n=0, lineterm="")
    return " | ".join(list(lines)[3:])[:150]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--each", type=int, default=12, help="mutants an operator")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="an operator whose name has this in it")
    chosen = parser.parse_args()
    found = list(results())
    print(f"{len(found)} results")
    right = sum(not convicted(before, after, options) for _, before, after, options in found)
    print(f"{right} of them are proved")
    killed = total = 0
    for name, make in mutants.OPERATORS.items():
        if chosen.only not in name:
            continue
        pairs = [
            (each, broken)
            for each in found
            for broken in make(mutants.Text(each[2]))
            if is_other(each[2], broken)
        ]
        random.Random(chosen.seed).shuffle(pairs)
        chosen_pairs = pairs[: chosen.each]
        verdicts = [convicted(each[1], broken, each[3]) for each, broken in chosen_pairs]
        survivors = [pair for pair, verdict in zip(chosen_pairs, verdicts) if not verdict]
        killed, total = killed + len(verdicts) - len(survivors), total + len(verdicts)
        print(f"{name:32} {len(verdicts) - len(survivors):3} of {len(verdicts):3}")
        for each, broken in survivors:
            print(f"    survived: {each[0]}: {_changed(each[2], broken)}")
    print(f"convicted {killed} of {total}: {100 * killed / max(total, 1):.1f} %")
    return 0


if __name__ == "__main__":
    assert judging  # the gate is what stands behind
    sys.exit(main())
