"""What the judge can't prove of the suite's own proposals: there may only be less of it.

    python bench/ratchet.py build/judged.jsonl            # compare with tests/data/judged.txt
    python bench/ratchet.py build/judged.jsonl --write    # and keep what is there now

`make test-judged` runs the suite with the gate off and judges each proposal. A line of the ratchet
is a program (a digest of its text and options, and a test that has it), an obligation, what the
judge says and why. One that is new fails; one that is gone is told, and taken out by `--write`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

KNOWN = Path(__file__).resolve().parents[1] / "tests" / "data" / "judged.txt"


def read(path: Path) -> tuple[int, dict[str, str]]:
    """How many proposals were judged, and the lines of those that aren't proved, with a test."""
    programs: set[str] = set()
    found: dict[str, str] = {}
    for line in path.read_text("utf-8").splitlines():
        seen = json.loads(line)
        programs.add(seen["key"])
        for obligation, verdict, code, why in seen["found"]:
            where = f" ({code})" if code else ""
            found[f"{seen['key']} {obligation}: {verdict}{where}: {why}"] = seen["test"]
    return len(programs), found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("judged", type=Path)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    number, found = read(chosen.judged)
    known = set(KNOWN.read_text("utf-8").splitlines()) if KNOWN.exists() else set()
    new, gone = sorted(set(found) - known), sorted(known - set(found))
    refused = {line.split()[0] for line in found}
    kinds = Counter(line.split()[1].rstrip(":") for line in found)
    print(f"{number} proposals were judged, of {len(refused)} not all is proved: {dict(kinds)}")
    for line in new:
        print(f"new: {line}\n     {found[line]}")
    print(f"{len(new)} new, {len(gone)} gone")
    if chosen.write:
        KNOWN.write_text("".join(f"{line}\n" for line in sorted(found)), "utf-8")
        return 0
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main())
