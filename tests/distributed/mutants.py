"""Breaks sound programs on purpose, in each of many ways, and asks `distify verify` what it says.

    python tests/distributed/mutants.py [--few N] [--only WORD]

prints a table: of each way how many mutants there are and how many are convicted, and those that
are not; then the programs as they are, which are all to be acquitted. Exit code 1 where fewer than
95 of 100 mutants are convicted, or a sound program is. It takes hours: for the night.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from proof import Proof, options, verify

HERE = Path(__file__).parent
LEAST = 0.95
AT_ONCE = 2


@dataclass(frozen=True)
class Way:
    """A way to break a program: what is looked for, and what is put there.

    `only` and `never`: what a program has to hold, or must not, for the mutant to be none that
    does the same (a sum is no matter to Adam, an own seed none to a broadcast).
    """

    name: str
    pattern: str
    new: str | Callable[[re.Match[str]], str]
    only: str = ""
    never: str = ""
    times: int = 0  # how many places are changed; 0: all

    def mutant(self, text: str) -> str | None:
        """The broken program; None where there is nothing to be broken."""
        if re.search(self.only, text) is None or (self.never and re.search(self.never, text)):
            return None
        new, count = re.subn(self.pattern, self.new, text, count=self.times, flags=re.MULTILINE)
        return new if count and new != text else None


SGD = r"SGD\(|GradientDescentOptimizer\("
SEEDED = r"set_random_seed|set_seed|random\.seed|load_weights|restore"
OWN = r"ProcessSet|op=hvd\.Sum|48 // hvd\.size\(\)"
WAYS = (
    Way("the tape is not wrapped", r"hvd\.DistributedGradientTape\((\w+)[^()]*\)", r"\1"),
    Way(
        "the optimizer is not wrapped",
        r"hvd\.DistributedOptimizer\(((?:[^()]|\([^()]*(?:\([^()]*\))?[^()]*\))*)\)",
        r"\1",
        never="DistributedGradientTape",
    ),
    Way(
        "nothing is broadcast",
        r"^( *)hvd\.broadcast_(?:variables|global_variables)\(.*\)$",
        r"\1pass",
        never=SEEDED,
    ),
    Way(
        "no callback broadcasts",
        r"hvd\.callbacks\.BroadcastGlobalVariablesCallback\((?:root_rank=)?0\),?",
        "",
        never=SEEDED,
    ),
    Way("the rate is not scaled", r"(SGD|Adam\w*)\((.*) \* hvd\.size\(\)", r"\1(\2", never=OWN),
    Way(
        "the rate is scaled twice",
        r"(SGD|Adam\w*)\((.*) \* hvd\.size\(\)",
        r"\1(\2 * hvd.size() * hvd.size()",
    ),
    Way(
        "the rate is of each worker's own",
        r"(SGD|Adam\w*)\(([^()]*?) \* hvd\.size\(\)",
        r"\1(\2 * (1 + hvd.rank())",
    ),
    Way(
        "gradients are added up",
        r"hvd\.DistributedGradientTape\((\w+)\)",
        r"hvd.DistributedGradientTape(\1, op=hvd.Sum)",
        only=SGD,
    ),
    Way(
        "the loss is divided",
        r"^( +loss = .*)$",
        r"\1 / hvd.size()",
        only=SGD,
        never=OWN,
    ),
    Way(
        "the data is not shared out",
        r"\.shard\((?:num_shards=)?hvd\.size\(\), (?:index=)?hvd\.rank\(\)\)"
        r"|\[hvd\.rank\(\) ?:: ?hvd\.size\(\)\]",
        "",
    ),
    Way(
        "all take the share of worker 0",
        r"\(hvd\.rank\(\), hvd\.size\(\)|\.shard\(hvd\.size\(\), hvd\.rank\(\)",
        lambda found: found[0].replace("hvd.rank()", "0"),
    ),
    Way("all workers write", r"if hvd\.rank\(\) == 0:", "if True:", only=r"save|open\(|write"),
    Way(
        "one worker applies for itself",
        r"^( +)(\w*optimizer\.apply_gradients\(.*\))$",
        r"\1if hvd.rank() == 0:\n\1    \2",
        never="hvd.rank.. == 0",
    ),
    Way(
        "what is averaged is changed by each worker",
        r"^( +)(gradients = tape\.gradient\(.*\))$",
        r"\1\2\n\1gradients = [g * (1.0 + hvd.rank()) for g in gradients]",
    ),
    Way(
        "one worker leaves early",
        r"^( *)for (\w+), (\w+) in (batches\(.*\)):$",
        r"\1for \2, \3 in \4.take(5 + hvd.rank()):",
    ),
)


def programs() -> list[Path]:
    """Sound ones: those that were written for it, and the repaired ones of the hazards."""
    judged = [
        path
        for path in sorted((HERE / "judged").glob("*.py"))
        if "\nSound\n" in path.read_text(encoding="utf-8")
    ]
    return judged + sorted((HERE / "hazards").glob("*/repaired.py"))


def run(program: Path, text: str) -> Proof:
    """A program of that text, beside what it imports."""
    with tempfile.TemporaryDirectory(prefix="distify-mutant-") as name:
        folder = Path(name)
        for beside in program.parent.glob("*.py"):
            shutil.copy(beside, folder)
        (folder / program.name).write_text(text, encoding="utf-8")
        given = options(program)
        return verify(folder / program.name, folder, *given, workers=0 if "-np" in given else 2)


def called(program: Path) -> str:
    """`judged/sum_alone`, `hazards/tape_not_sharded`."""
    where = program.relative_to(HERE).with_suffix("")
    return str(where.parent if where.name == "repaired" else where)


def main() -> int:
    """Runs all, and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--few", type=int, default=0, help="of each way at most so many")
    parser.add_argument("--only", default="", help="programs whose name holds this")
    asked = parser.parse_args()
    chosen = [each for each in programs() if asked.only in called(each)]
    given: dict[str, list[tuple[Path, str]]] = defaultdict(list)
    for program in chosen:
        text = program.read_text(encoding="utf-8")
        given["(as it is)"].append((program, text))
        for way in WAYS:
            if (mutant := way.mutant(text)) is not None:
                given[way.name].append((program, mutant))
    return told({name: each[: asked.few or None] for name, each in given.items()})


def told(given: dict[str, list[tuple[Path, str]]]) -> int:
    """Prints a line for each way, and the exit code is given."""
    mutants = convicted = wrong = 0
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for name, each in given.items():
            proofs = list(pool.map(run, *zip(*each)))
            guilty = [proof.code == 1 for proof in proofs]
            sound = name == "(as it is)"
            print(f"{sum(guilty):4} of {len(each):3} convicted: {name}", flush=True)
            for (program, _), proof, found in zip(each, proofs, guilty):
                if found == sound:
                    codes = ", ".join(sorted(proof.convicted))
                    print(f"       {called(program)}: exit code {proof.code} {codes}", flush=True)
            if sound:
                wrong += sum(guilty)
            else:
                mutants, convicted = mutants + len(each), convicted + sum(guilty)
    print(f"{convicted} of {mutants} mutants convicted; {wrong} sound programs convicted")
    return int(wrong > 0 or convicted < LEAST * mutants)


if __name__ == "__main__":
    sys.exit(main())
