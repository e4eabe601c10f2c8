"""Puts measured figures between two markers of a page of the documentation."""

from __future__ import annotations

from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "quality.md"


def put(page: Path, name: str, figures: str) -> None:
    """Replace what stands between `<!-- name -->` and `<!-- /name -->`; both must be there."""
    text = page.read_text(encoding="utf-8")
    first, last = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    before, found, rest = text.partition(first)
    _, closed, after = rest.partition(last)
    if not (found and closed):
        raise ValueError(f"{page.name} has no markers for {name}")
    page.write_text(f"{before}{first}\n{figures}\n{last}{after}", encoding="utf-8")
