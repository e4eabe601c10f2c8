"""The pages of rules and restrictions, which need none of their code."""

from __future__ import annotations

from functools import cache


def page(code: str) -> str:
    """The page of a rule or a restriction, in Markdown; the code must be one of `pages()`."""
    from importlib import resources

    found = resources.files("distify.codemods.pages").joinpath(f"{code}.md")
    return found.read_text(encoding="utf-8")


def address(code: str) -> str | None:
    """Where the page of a code is, below the root of the documentation; None where there is none.

    Source: `_pages` of bench/website.py, which makes them.
    """
    return f"codes/{code}/" if code in pages() else None


def titles() -> dict[str, str]:
    """The codes that have a page, and what each is called there."""
    from importlib import resources

    folder = resources.files("distify.codemods.pages")
    found = {}
    for code in pages():
        with folder.joinpath(f"{code}.md").open(encoding="utf-8") as page:
            found[code] = page.readline().strip("# \n").removeprefix(code).strip()
    return found


@cache
def pages() -> list[str]:
    """The codes that have a page."""
    from importlib import resources

    folder = resources.files("distify.codemods.pages")
    return sorted(entry.name[:-3] for entry in folder.iterdir() if entry.name.endswith(".md"))
