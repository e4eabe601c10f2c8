"""The links of a chain: what each of them selects, which places its filter is asked about."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest

from distify.codemods.applying.matching import shapes
from distify.codemods.edits import Edit, Places, patterns
from distify.codemods.rewrites import Rewrite
from distify.codemods.syntax import LN, parse

SHAPES = {value for name, value in vars(patterns).items() if name.isupper()}


class Every:
    """All kinds of edits: none of a chain's links is passed over because nothing is due for it."""

    def __contains__(self, kind: object) -> bool:
        return True


class Asked:
    """What the filters of a chain were asked about, by the kind of their edits."""

    def __init__(self) -> None:
        self.answers: dict[str, list[bool]] = {}

    def listen(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Every filter is asked from now on, and its answers are kept."""
        monkeypatch.setattr(Places, "each", lambda at, kind: self.each(at, kind))
        monkeypatch.setattr(Places, "kinds", lambda at: Every())

    def each(self, at: Places, kind: type[Edit]) -> Any:
        """The filter that `Places.each` gives, with its answers kept."""
        is_due = real_each(at, kind)
        kept = self.answers.setdefault(kind.__name__, [])

        def ask(node: LN, capture: dict[str, Any], filename: str) -> bool:
            kept.append(is_due(node, capture, filename))
            return kept[-1]

        ask.__name__ = kind.__name__
        return ask


real_each = Places.each


def check_links(rewrite: Rewrite) -> None:
    """Each link has a named pattern, one filter for one kind of edit, and the modifier for it."""
    links = rewrite.build(Places([])).transforms
    assert links
    for link in links:
        pattern = link.kwargs["pattern"]
        assert pattern in SHAPES
        assert len([*shapes(pattern).matches(parse("def f(): pass\n").pre_order())]) < 5
        ((filter,), (modify,)) = link.filters, link.callbacks
        assert isinstance(modify, partial)
        assert modify.args == (re.sub(r"(?<!^)(?=[A-Z])", "_", filter.__name__).lower(),)
    kinds = [(link.filters[0].__name__, link.kwargs["pattern"]) for link in links]
    assert len(set(kinds)) == len(kinds)
