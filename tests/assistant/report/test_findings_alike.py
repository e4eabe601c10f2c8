"""What is said of several lines in the same words is said once in a report that a person reads."""

from __future__ import annotations

from distify.assistant.files.discovery import Target
from distify.assistant.files.outcome import Outcome
from distify.assistant.files.source import Source
from distify.assistant.report.text import Style, _findings
from distify.codemods.model import Finding

TEXT = "\n".join(f"line{n}()" for n in range(1, 20))
OUTCOME = Outcome(Target("train.py", ""), Source(TEXT.encode(), TEXT, "utf-8"))


def told(*findings: Finding) -> str:
    lines = _findings(OUTCOME, findings, "blocked", Style())
    return "\n".join("".join(span.text for span in line) for line in lines)


def test_the_same_words_are_told_once_with_the_other_lines() -> None:
    text = told(*(Finding(n, 0, "T08", "when?", "loop") for n in (4, 5, 9)))
    assert text.count("when?") == text.count("fix: loop") == 1
    assert "T08 line 4: when?" in text
    assert text.endswith("\n    also at lines 5 and 9")


def test_other_words_are_told_by_themselves() -> None:
    text = told(Finding(4, 0, "T08", "when?", "loop"), Finding(5, 0, "T08", "when?", "name"))
    assert text.count("when?") == 2
    assert "also at" not in text
