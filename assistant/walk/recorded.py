"""Answers that were given before: what the walk asks of whoever keeps them."""

from __future__ import annotations

from .dialogue import Edited, Question


class Recorded:
    """Answers given before; this one knows none."""

    def answer(self, question: Question) -> str | Edited | None:
        """YES, NO, a text, or None where nothing was answered to this very change."""
        return None

    def record(self, question: Question, answer: str | Edited) -> None:
        """Keeps YES, NO or a text."""

    def forget(self, question: Question) -> None:
        """Takes back what was kept."""
