"""How commands tell what went wrong: our own words first, then those of git or of a hook."""

from __future__ import annotations

from distify.assistant.report.lines import of_error


def text(error: Exception) -> list[str]:
    return ["".join(span.text for span in line) for line in of_error(error)]


def test_a_tab_indents_in_the_words_of_git_and_is_shown_in_our_own() -> None:
    assert text(OSError("a\tb is gone:\n\tgit add")) == ["error: a\tb is gone:", "        git add"]


def test_an_error_without_words_has_its_name() -> None:
    assert text(KeyError()) == ["error: KeyError"]
