"""What a person takes on them by `--unsound`: rules that are left out, and obligations by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .. import codemods
from .codes import UnknownCode, suggestion

RULES = "rules"  # what `--unsound` by itself means: apply what was chosen without what it needs
_BARE = "--unsound"


def unsound_of(words: Iterable[str]) -> tuple[bool, tuple[str, ...]]:
    """Whether rules may be left out that a result needs, and obligations by name."""
    names = [part.strip().lower() for word in words for part in word.split(",")]
    chosen = tuple(dict.fromkeys(name for name in names if name not in ("", RULES)))
    return RULES in names, chosen


def obligations(names: Iterable[str]) -> frozenset[str]:
    """The obligations of these names. Raises UnknownCode, which says what is known."""
    known = codemods.obligations() if names else ()
    for name in names:
        if name not in known:
            near = suggestion(name, known).partition("; `")[0]
            listed = ", ".join(known) or "none"
            raise UnknownCode(f"there is no obligation {name:.60}{near}; these are known: {listed}")
    return frozenset(names)


def spelled(arguments: Sequence[str]) -> list[str]:
    """Arguments in which `--unsound` by itself takes no path for a name."""
    end = list(arguments).index("--") if "--" in arguments else len(arguments)
    bare = f"{_BARE}={RULES}"
    return [bare if a == _BARE and at < end else a for at, a in enumerate(arguments)]
