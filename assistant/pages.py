"""The pages of rules and restrictions, which need none of their code."""

from __future__ import annotations

from functools import cache


def page(code: str) -> str:
    """The page of a rule or a restriction, in Markdown; the code must be one of `pages()`."""
    from importlib import resources

    found = resources.files("distify.codemods.pages").joinpath(f"{code}.md")
    return found.read_text(encoding="utf-8")


def address(code: str) -> str | None:
    """Where the page of a code is; None where there is none.

    A whole address where a release, or DISTIFY_PAGES, says where the documentation is; else a path
    below the root of it. Source: `_pages` of bench/website.py, which makes them.
    """
    return f"{_root()}codes/{code}/" if code in pages() else None


def _root() -> str:
    """`https://…/` of the documentation, or nothing."""
    import os

    said = os.environ.get("DISTIFY_PAGES") or _released_address()
    return f"{said.rstrip('/')}/" if said.startswith(("https://", "http://")) else ""


@cache
def _released_address() -> str:
    """The address that the release workflow writes into the metadata."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        urls = metadata("distify-horovod").get_all("Project-URL") or ()
    except PackageNotFoundError:
        return ""
    found = (url.partition(",")[2].strip() for url in urls if url.startswith("Documentation,"))
    return next(found, "")


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
