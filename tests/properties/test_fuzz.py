"""Programs and settings that nobody wrote: 2,000 at night, 200,000 by `make fuzz`.

A number stands for a text; these are the same everywhere and in every run.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from bench import fuzz, fuzz_settings, whole_corpus
from bench.fuzz import PROGRAM, judge_program, small, tried
from bench.fuzz_settings import KINDS, judge_settings
from bench.scrambling import CHANGES, Change, scrambled

from distify.codemods.model import Migration, Step, SyntaxProblem

FOUND = sorted((Path(__file__).resolve().parents[1] / "data" / "found").glob("*-*"))
PROGRAMS, EACH = 2_000, 250
TEXT = "import tensorflow as tf\nmodel.fit(x, y)\n"

# The rules' own tests measure what of the code is run.
uncovered = pytest.mark.no_cover


@uncovered
@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, PROGRAMS, EACH))
def test_no_program_breaks_a_promise(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked of what the rules make, whatever the judge would let pass of it."""
    monkeypatch.setattr("distify.codemods.gate.judging.judge", lambda case: [])
    verdicts = {number: tried(PROGRAM, number, small()) for number in range(first, first + EACH)}
    assert {number: v.wrong for number, v in verdicts.items() if v.wrong} == {}
    outcomes = Counter(verdict.outcome for verdict in verdicts.values())
    assert outcomes["changed"] > EACH / 8, outcomes  # or it would prove nothing
    assert outcomes["blocked"] > EACH / 20, outcomes
    assert outcomes[fuzz.NAMED] > EACH / 5, outcomes


@uncovered
@pytest.mark.parametrize("kind", KINDS)
def test_no_settings_break_a_reader(kind: str) -> None:
    verdicts = {number: tried(kind, number) for number in range(PROGRAMS // 10)}
    assert {number: v.wrong for number, v in verdicts.items() if v.wrong} == {}
    assert len({verdict.outcome for verdict in verdicts.values()}) > (kind == "pyproject")


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.name)
def test_what_was_found_stays_mended(path: Path) -> None:
    """The name says what kind of text it is, and what it broke."""
    kind = path.name.partition("-")[0]
    data = path.read_bytes()
    verdict = judge_program(data, True) if kind == PROGRAM else judge_settings(kind, data)
    assert verdict[1] == ()


# ------------------------------------------------- the fuzzer itself


def test_a_number_is_one_text_and_another_number_another() -> None:
    texts = [scrambled(number, small()) for number in range(200)]
    assert texts == [scrambled(number, small()) for number in range(200)]
    assert len(set(texts)) > 195
    assert scrambled(1, small(), "other") != texts[1]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_each_change_changes_any_text(change: Change) -> None:
    for text in ("", "\n", "x", TEXT, "\ufeff# a\r\nx = 'é'\r\n"):
        changed = {change(text, random.Random(n), small()) for n in range(50)}
        assert len(changed) > (text == TEXT)


def result(after: str, place: tuple[int, int] = (2, 0)) -> Migration:
    return Migration(TEXT, "Keras", steps=(Step("D101", after, (place,)),))


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (result("model.fit(\n"), "SyntaxError"),
        (result(f"import horovod\n{TEXT}\n".replace("as tf", "as t"), (1, 0)), None),
        (result(TEXT.replace("as tf", "as t")), "a statement is gone"),
        (result(f"{TEXT}model.fit()\n", (1, 0)), "a statement was added"),
        (SyntaxProblem("no Python", 1, 0), "Python takes it"),
        (SyntaxProblem("", 99, 0), "named as"),
        (RecursionError("too deep"), "RecursionError"),
    ],
)
def test_what_is_wrong_is_told(
    monkeypatch: pytest.MonkeyPatch, answer: Migration | Exception, told: str | None
) -> None:
    def migrate(text: str, *_: object) -> Migration:
        if isinstance(answer, Exception):
            raise answer
        return answer if text == TEXT else Migration(text, "Keras")

    monkeypatch.setattr(fuzz, "migrate", migrate)
    monkeypatch.setattr(whole_corpus, "migrate", migrate)
    wrong = judge_program(TEXT.encode()).wrong
    assert any(told in each for each in wrong) if told else wrong == ()


def test_labour_without_end_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    data = TEXT.encode()
    assert judge_program(data, thorough=True).wrong == ()
    monkeypatch.setattr(fuzz, "CALLS", 0)
    monkeypatch.setattr(fuzz, "CALLS_A_BYTE", 1)
    assert "calls for" in judge_program(data, thorough=True).wrong[0]


def test_a_second_change_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def migrate(text: str, *_: object) -> Migration:
        return result(f"import horovod\n{text}", (1, 0))._replace(before=text)

    monkeypatch.setattr(fuzz, "migrate", migrate)
    monkeypatch.setattr(whole_corpus, "migrate", migrate)
    assert "a second run changes the result" in judge_program(TEXT.encode()).wrong


def test_a_reader_that_fails_or_never_ends_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def raises(folder: str, path: str) -> str:
        raise KeyError(path)

    kind = KINDS["lock"]
    monkeypatch.setitem(KINDS, "lock", kind._replace(read=raises))
    assert "KeyError" in judge_settings("lock", b"")[1][0]
    monkeypatch.setitem(KINDS, "lock", kind)
    monkeypatch.setattr(fuzz_settings, "CALLS", -1)
    assert "calls for 0 bytes" in judge_settings("lock", b"")[1][0]
