"""The series of real migrations: every commit compiles, and can go alone if nothing needs it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from distify import __version__
from distify.assistant.files.source import decode
from distify.assistant.git.commit_reasons import REASONS
from distify.assistant.git.message import message, subject
from distify.assistant.git.plan import Change, Rewritten, changes, dependences, hunks
from distify.codemods import rewrites
from repeated import one_in

from ..conftest import Call
from .conftest import Git

EXAMPLES = sorted((Path(__file__).resolve().parents[3] / "examples").glob("*.py"))
RULES = {rule.code: rule for rule in rewrites.all()}


@pytest.fixture(autouse=True)
def fake_engine() -> None:
    """None of it here: these are real migrations."""


@pytest.fixture(autouse=True)
def _any_line_ends() -> None:
    """The real engine needs no help."""


def trailers(git: Git, commit: str, key: str) -> list[str]:
    text = git("log", "-1", f"--format=%(trailers:key=Distify-{key},valueonly)", commit)
    return [word.strip() for word in text.split(",") if word.strip()]


def compiles(git: Git, names: list[str]) -> None:
    for name in names:
        compile((git.folder / name).read_bytes(), name, "exec", dont_inherit=True)


def series(git: Git) -> dict[str, str]:
    """The commits by rule, oldest first."""
    made = git("rev-list", "--reverse", "main..HEAD").split()
    return {trailers(git, commit, "Rule")[0]: commit for commit in made}


def revert_each(git: Git, names: list[str]) -> int:
    """Reverts, one at a time, each commit that no other one needs; how many there were."""
    by_rule, tip = series(git), git("rev-parse", "HEAD")
    needed = {code for commit in by_rule.values() for code in trailers(git, commit, "Needs")}
    free = [code for code in by_rule if code not in needed]
    for code in free:
        git("revert", "--no-edit", by_rule[code])
        compiles(git, names)
        git("reset", "-q", "--hard", tip)
    return len(free)


@pytest.mark.parametrize("example", one_in(12, EXAMPLES), ids=lambda path: str(path.stem))
def test_one_commit_per_rule_that_can_go_alone(git: Git, call: Call, example: Path) -> None:
    git.write(example.name, example.read_bytes())
    base = git.commit()
    assert call("migrate", "--commit", "--branch", "x", example.name).exit_code == 0
    codes = list(series(git))
    assert codes == sorted(set(codes))
    assert len(codes) > 3
    assert revert_each(git, [example.name]) > 1
    assert call("undo").exit_code == 0
    assert git("rev-parse", "HEAD") == base


@pytest.mark.slow
def test_a_series_goes_over_all_files(git: Git, call: Call) -> None:
    names = [path.name for path in EXAMPLES]
    for path in EXAMPLES:
        git.write(path.name, path.read_bytes())
    base = git.commit()
    assert call("migrate", "--commit", "--branch", "x", ".").exit_code == 0
    after = git.files()
    by_rule = series(git)
    assert list(by_rule) == sorted(by_rule)
    for code, commit in by_rule.items():
        git("checkout", "-q", "--detach", commit)
        compiles(git, names)
        assert git("log", "-1", "--format=%s") == subject(code, RULES[code].summary)
    git("checkout", "-q", "x")
    assert git.files() == after
    assert revert_each(git, names) > 2
    # The commit of a rule holds what that rule changed in every file.
    changed = git("diff", "--name-only", f"{by_rule['D101']}^", by_rule["D101"]).split()
    assert changed == names
    # All of them can be reverted, the last one first.
    git("revert", "--no-edit", f"{base}..HEAD")
    assert git("diff", base) == ""


def test_the_names_of_a_reverted_rule_are_not_used_by_others(git: Git, call: Call) -> None:
    """Ruff finds names that nothing binds, which compiling does not."""
    ruff = Path(sys.executable).with_name("ruff")
    if not ruff.exists():
        pytest.skip("ruff is not installed for this Python")
    name = "keras_fit_dataset.py"
    git.write(name, EXAMPLES[0].with_name(name).read_bytes())
    git.commit()
    assert call("migrate", "--commit", "--branch", "x", name).exit_code == 0
    needed = {code for c in series(git).values() for code in trailers(git, c, "Needs")}
    for code, commit in series(git).items():
        if code not in needed:
            git("revert", "--no-edit", commit)
            check = [str(ruff), "check", "--isolated", "--no-cache", "--select=F821", name]
            assert subprocess.run(check, cwd=git.folder, check=False).returncode == 0
            git("reset", "-q", "--hard", "x@{1}")


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("src/train-2.py", "src/train-2.py"),
        ("fixes #1.py", r"fixes \x231.py"),
        ("closes o/r#12.py", r"closes o/r\x2312.py"),
        ("resolves gh-7.py", r"resolves gh\x2d7.py"),
        ("@octocat/train.py", r"\x40octocat/train.py"),
    ],
)
def test_no_name_closes_an_issue_or_calls_somebody(path: str, told: str) -> None:
    change = Change("D104", {path: b""}, ((path, 3),), ())
    assert f"\n  {told}:3\n" in message(change, "Scale it.")


def test_the_whole_message() -> None:
    change = Change("D104", {}, (("train.py", 12), ("a\nb.py", 3)), ("D101", "D102"))
    assert message(change, "Scale it.") == (
        "distify(D104): scale learning rates by the number of workers\n"
        "\n"
        "N workers take one step for an N times larger batch, and such a step may\n"
        "be N times longer. Without this, an epoch brings training only an Nth as\n"
        "far as before.\n"
        "\n"
        "Places:\n"
        "  train.py:12\n"
        "  a\\nb.py:3\n"
        "\n"
        "Rule: distify explain D104\n"
        "\n"
        "Distify-Rule: D104\n"
        f"Distify-Version: {__version__}\n"
        "Distify-Needs: D101, D102\n"
    ) or "https://" in message(change, "")


def test_a_long_list_of_places_is_cut() -> None:
    change = Change("D104", {}, tuple((f"{n}.py", 1) for n in range(100)), ())
    text = message(change, "")
    assert "  59.py:1\n  and 40 more\n" in text
    assert "Distify-Needs" not in text


@pytest.mark.parametrize("code", RULES)
def test_every_rule_says_why_in_two_sentences(code: str) -> None:
    title, why = REASONS[code]
    assert len(subject(code, RULES[code].summary)) <= 72
    assert title[0].islower() or title.startswith("tf.")
    assert not title.endswith(".")
    assert len(re.findall(r"\.(?= [A-Z`]|$)", why)) == 2


def test_a_rule_without_a_reason_of_its_own() -> None:
    assert subject("R05", "Create the optimizer once.") == "distify(R05): create the optimizer once"


def rewritten(*texts: str) -> Rewritten:
    steps = tuple((f"D10{n}", text) for n, text in enumerate(texts[1:], 1))
    return Rewritten("a.py", decode(texts[0].encode()), steps)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("a\nb\nc\nd\n", "A\nb\nc\nd\n", "A\nb\nC\nd\n"), set()),  # a line stays between
        (("a\nb\nc\nd\n", "A\nb\nc\nd\n", "A\nB\nc\nd\n"), {("D102", "D101")}),  # they adjoin
        (("a\nb\nc\nd\n", "A\nb\nc\nd\n", "Z\nb\nc\nd\n"), {("D102", "D101")}),
        (("a\nb\nc\nd\n", "a\nc\nd\n", "a\nC\nd\n"), {("D102", "D101")}),  # beside a deletion
        (("a\nb\nc\nd\ne\n", "a\nc\nd\ne\n", "a\nc\nd\nE\n"), set()),
        (("a\nb\nc\nd\n", "x = 1\na\nb\nc\nd\n", "x = 1\na\nb\nc\nx\n"), {("D102", "D101")}),
        (("x = 1\nb\nc\nd\n", "x = 2\nb\nc\nd\n", "x = 2\nb\nc\nx\n"), set()),  # it was there
    ],
)
def test_what_needs_what(texts: tuple[str, ...], expected: set[tuple[str, str]]) -> None:
    assert set(dependences(rewritten(*texts))) == expected


def test_needs_of_the_registry_count_where_the_rule_is_in_the_series() -> None:
    file = rewritten("a\nb\nc\n", "A\nb\nc\n", "A\nb\nC\n")
    registered = {"D102": frozenset({"D101", "D100"}), "D101": frozenset({"D099"})}
    assert [change.needs for change in changes([file], registered)] == [(), ("D101",)]


def test_repairs_come_first() -> None:
    source = decode(b"a\n")
    file = Rewritten("a.py", source, (("R05", "b\n"), ("D101", "c\n")))
    assert [change.code for change in changes([file], {})] == ["R05", "D101"]


def test_hunks_count_lines_as_git_does() -> None:
    (hunk,) = hunks(["a\x0cb", "c", ""], ["a\x0cb", "d", ""])
    assert (hunk.old, hunk.new) == ((1, 2), (1, 2))
