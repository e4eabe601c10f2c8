"""Programs that grow without bound, in size or in what a walk sees: refused in words."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from bench.exponents import SHAPES

from distify.assistant.files import budget, examine
from distify.assistant.files.discovery import Target
from distify.assistant.files.outcome import Outcome
from distify.codemods.model import Options

from .conftest import TRAIN, Checkout

ROOT = Path(__file__).resolve().parents[2]
EXPONENTS = [sys.executable, str(ROOT / "bench" / "exponents.py")]
# Each of them hung, or doubled its time with each line.
HUNG = [
    "lists",
    "callbacks",
    "datasets zipped",
    "datasets in functions",
    "functions that call twice",
]


@pytest.mark.parametrize("name", HUNG)
def test_what_can_hold_itself_twice_costs_no_more_than_it_grows(name: str) -> None:
    done = subprocess.run([*EXPONENTS, name], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 of them cost too much" in done.stdout


def test_all_of_them_are_tried_each_night() -> None:
    assert len(SHAPES) == 66
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    nightly = makefile.partition("\ntest-nightly:")[2].partition("\n\n")[0]
    assert "bench/exponents.py" in nightly


def looked_at(text: str) -> Outcome:
    target = Target("train.py", "/nowhere/train.py", named=True)
    return examine.examine_bytes(target, text.encode(), Options())


def test_a_look_without_end_is_refused_with_what_cost_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "SECONDS", 0.05)
    monkeypatch.setattr(budget, "CALLS", 300_000)
    monkeypatch.setattr(examine, "CALLS", 300_000)
    found = looked_at("".join(f"a{n} = [x, len(x)]\n" for n in range(3_000)) + TRAIN)
    assert found.migration
    (refusal,) = found.migration.blocked
    assert refusal.code == "N04"
    assert "takes more than 300,000 calls of Python's, most of them for line" in refusal.message
    assert refusal.line > 1
    assert sys.getprofile() is None


def test_counted_calls_change_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = looked_at(TRAIN)
    monkeypatch.setattr(budget, "SECONDS", 1e-4)
    assert looked_at(TRAIN).after == plain.after
    assert sys.getprofile() is None


def test_a_look_that_nothing_can_interrupt_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever catches all of its own errors does not catch this one."""
    monkeypatch.setattr(budget, "SECONDS", 0.02)
    monkeypatch.setattr(budget, "CALLS", 10_000)

    def endless() -> None:
        while True:
            try:
                len(())
            except Exception:
                continue

    with pytest.raises(budget.TooLong):
        budget.within(endless)


def test_in_another_thread_nothing_is_counted() -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor() as pool:
        assert pool.submit(budget.within, lambda: 1).result() == 1


LARGE = {
    "is larger than 2 MB": TRAIN + "# " + "x" * 100 + "\n" + "#\n" * 1_000_000,
    "has more than 50,000 lines": TRAIN + "a = 1\n" * 50_000,
    "has a line of more than 1,000,000 characters": TRAIN + "a = '" + "x" * 1_000_000 + "'\n",
    "is nested too deeply": TRAIN + "a = " + "-" * 100_000 + "1\n",
    "can't be parsed": TRAIN + "a = " + "(" * 1_000 + "1" + ")" * 1_000 + "\n",
}


@pytest.mark.parametrize("words", LARGE)
@pytest.mark.parametrize("by", ["name", "folder", "standard input"])
def test_a_source_that_is_too_large_is_refused_in_words(
    checkout: Checkout, words: str, by: str
) -> None:
    path = checkout.write("train.py", LARGE[words])
    if by == "standard input":
        done = subprocess.run(
            [sys.executable, "-m", "distify.assistant", "check", "-"],
            input=path.read_bytes(), env=checkout.env, capture_output=True, check=False,
        )  # fmt: skip
        code, said = done.returncode, done.stderr.decode()
    else:
        answer = checkout("check", "train.py" if by == "name" else ".")
        code, said = answer.code, answer.words
    assert code == 2
    assert words in said or "nested" in said
    assert "stumble" not in said
    assert path.read_text() == LARGE[words]


def test_a_file_that_never_ends_is_not_read_to_its_end(checkout: Checkout) -> None:
    with open(checkout.folder / "train.py", "wb") as file:
        file.write(TRAIN.encode())
        file.truncate(1 << 40)  # a terabyte of nothing
    begun = time.monotonic()
    answer = checkout("check", ".")
    assert answer.code == 2
    assert "is larger than 2 MB" in answer.words
    assert time.monotonic() - begun < 60


def test_what_trains_nothing_may_be_large(checkout: Checkout) -> None:
    checkout.write("data.py", "a = 1\n" * 500_000)
    assert checkout("check", ".").code == 0


def notebook(**cell: object) -> str:
    code = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": 1, **cell}
    return json.dumps(
        {"cells": [{"source": TRAIN, **code}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (notebook().replace('"execution_count": 1', '"execution_count": ' + "9" * 5_000), "digits"),
        (notebook().replace('"nbformat": 4', '"nbformat": ' + "4" * 5_000), "digits"),
        (notebook(outputs=["x" * 10_000_000]), "more than 10 MB"),
        (notebook().replace("[]", "[" * 100_000 + "]" * 100_000), "nested too deeply"),
    ],
    ids=["a number", "its format", "size", "depth"],
)
def test_notebooks(checkout: Checkout, text: str, words: str) -> None:
    path = checkout.write("train.ipynb", text)
    answer = checkout("check", "train.ipynb")
    assert answer.code == 2
    assert words in answer.words
    assert "stumble" not in answer.words
    assert path.read_text() == text


@pytest.mark.parametrize("name", ["pyproject.toml", "requirements.txt", ".gitignore"])
@pytest.mark.parametrize("what", ["size", "digits", "pipe", "device", "depth"])
def test_settings(checkout: Checkout, name: str, what: str) -> None:
    checkout.commit(train_py=TRAIN)
    path = checkout.folder / name
    if what == "pipe":
        os.mkfifo(path)
    elif what == "device":
        path.symlink_to("/dev/zero")
    else:
        texts = {"size": "#\n" * 6_000_000, "digits": f"a = {'9' * 5_000}\n"}
        path.write_text(texts.get(what, f"a = {'[' * 100_000}{']' * 100_000}\n"))
    answer = checkout("check", ".")
    assert answer.code in (1, 2)
    assert "stumble" not in answer.words
    assert len(answer.words) < 10_000


def test_the_page_names_the_calls() -> None:
    page = (ROOT / "codemods" / "pages" / "N04.md").read_text(encoding="utf-8")
    assert f"{budget.CALLS:,}" in page
