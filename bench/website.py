"""The pages of the documentation site, made from docs/ and what the program says of itself.

make site

Links that lead out of the documentation go to the repository, if DISTIFY_REPOSITORY says where that
is (`https://github.com/OWNER/distify`); else they become plain words.
"""

from __future__ import annotations

import html
import json
import os
import posixpath
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import yaml

from distify.assistant import codemods
from distify.assistant.cli.commands import distify
from distify.assistant.files.effective import DEFAULTS, MEANINGS, NOT_SET
from distify.assistant.report.page.whole_page import of_proof, of_race
from distify.codemods.migrate import migrate

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench import gallery, tryout  # noqa: E402  (run as a script, not as a module)

# Pages that stand elsewhere in the repository.
MOVED = {
    "README.md": "overview.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}
GROUPS = {
    "D": "Rules: what is rewritten",
    "A": "Repairs: what takes away what is in the way",
    "C": "Restrictions of D501, layers that are run again",
    "G": "Restrictions: gradients",
    "K": "Restrictions: data and fit",
    "L": "Restrictions: learning rates",
    "N": "Restrictions: other libraries and versions",
    "P": "Restrictions: Horovod programs",
    "R": "Restrictions: imports and optimizers",
    "T": "Restrictions: training",
    "H": "Hazards of hand-written Horovod programs",
    "M": "What the model of a step finds",
    "S": "What may not be written",
    "J": "Obligations: what is proved of each result",
}
# Reports of real runs, as the pages that distify makes of them.
REPORTS = {"proof": of_proof, "convicted": of_proof, "race": of_race}
NOT_SERVED = ("package", "package-lock", "tryout", "pictures")
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
_FENCE = re.compile(r"^ {0,3}(```|~~~).*?^ {0,3}\1\s*$", re.M | re.S)


def build(target: Path, repository: str = "") -> dict[str, Any]:
    """Writes every page below an empty folder, and mkdocs.yml beside it; returns that."""
    pages = dict(_pages())
    for name, (origin, text) in pages.items():
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_linked(text, origin, name, repository), encoding="utf-8")
    for path in sorted((ROOT / "docs").rglob("*")):
        if path.suffix in (".svg", ".png", ".json", ".css", ".js") and path.stem not in NOT_SERVED:
            copy = target / path.relative_to(ROOT / "docs")
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
    (target / "pages").mkdir()
    for name, made in REPORTS.items():
        said = json.loads((ROOT / "tests" / "browser" / f"{name}.json").read_text(encoding="utf-8"))
        (target / "pages" / f"{name}.html").write_text(made(said), encoding="utf-8")
    return _settings(target, repository)


def _settings(target: Path, repository: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "docs" / "mkdocs.yml").read_text("utf-8"))
    codes = [{"All codes": "codes/index.md"}, {"What is said": "codes/messages.md"}]
    for group in GROUPS:
        named = [code for code in codemods.pages() if code.startswith(group)]
        codes.append({GROUPS[group]: [f"codes/{code}.md" for code in named]})  # type: ignore[dict-item]
    found["nav"] = [{"Codes": codes} if "Codes" in each else each for each in found["nav"]]
    found.update(docs_dir=str(target), site_dir=str(ROOT / "build" / "site"))
    found["theme"]["custom_dir"] = str(ROOT / "docs" / "site" / "theme")
    if repository:
        found.update(repo_url=repository, edit_uri="")
    return found


def _pages() -> Iterator[tuple[str, tuple[str, str]]]:
    """Each page with where it stands in the repository and what it says."""
    for origin, name in MOVED.items():
        yield name, (origin, (ROOT / origin).read_text(encoding="utf-8"))
    for path in sorted((ROOT / "docs").glob("*.md")):
        yield path.name, (f"docs/{path.name}", path.read_text(encoding="utf-8"))
    shown = {rule.code: rule for rule in codemods.changes()}
    for code in codemods.pages():
        text = codemods.page(code) + (_example(shown[code]) if code in shown else "")
        yield f"codes/{code}.md", (f"codemods/pages/{code}.md", text)
    yield "codes/index.md", ("codemods/pages/index.md", _all_codes())
    yield "codes/messages.md", ("codemods/pages/messages.md", gallery.page(gallery.shown(), GROUPS))
    for name in ("index.md", "try.md"):
        text = (ROOT / "docs" / "site" / name).read_text(encoding="utf-8")
        yield name, (f"docs/{name}", _filled(text))
    yield "reference/command-line.md", ("docs/reference/command-line.md", _commands())
    yield "reference/settings.md", ("docs/reference/settings.md", _keys())


def _filled(text: str) -> str:
    """A page of the site's own, with the README's program and what becomes of it today."""
    before = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.S)[0]
    said = {"BEFORE": before, "AFTER": migrate(before).after}
    for name, program in said.items():
        text = text.replace(f"    {{{{{name}}}}}\n", textwrap.indent(program, " " * 4))
        text = text.replace(f"{{{{{name}}}}}", html.escape(program))
    return text


def _example(rule: codemods.Rule) -> str:
    """What the module of a rule shows of it, which its tests try."""
    needs = f"\nIt needs {', '.join(sorted(rule.needs))}.\n" if rule.needs else ""
    return (
        f"\n## From its module\n\n{rule.summary}\n{needs}\n"
        f'```python title="before"\n{rule.before}```\n\n```python title="after"\n{rule.after}```\n'
    )


def _all_codes() -> str:
    titles = codemods.titles()
    lines = [(ROOT / "docs" / "site" / "codes.md").read_text(encoding="utf-8")]
    for group, heading in GROUPS.items():
        lines += ['<section class="code-group" markdown>', "", f"## {heading}", ""]
        for code in (each for each in titles if each.startswith(group)):
            about = gallery.about(code)
            name = f"[**{code}** {titles[code]}]({code}.md)"
            lines += ['<div class="code-entry" markdown>', "", f"{name} {about}", "", "</div>", ""]
        lines += ["</section>", ""]
    lines.append('<script src="../site/codes.js"></script>\n')
    return "\n".join(lines)


# ---------------------------------------------------------------- the reference


def _commands() -> str:
    """Every command with its options, as `--help` shows them."""
    # A command keeps the option for help that it is first asked for.
    names = ["-h", "--help"]
    root = click.Context(distify, info_name="distify", terminal_width=96, help_option_names=names)
    parts = ["# Command line", "", *_block(distify.get_help(root))]
    for name in distify.list_commands(root):
        command = distify.get_command(root, name)
        assert command is not None
        context = click.Context(command, info_name=name, parent=root, terminal_width=96)
        parts += [f"## distify {name}", "", *_block(command.get_help(context))]
    return "\n".join(parts)


def _block(text: str) -> list[str]:
    return ["```text", text.rstrip(), "```", ""]


def _keys() -> str:
    rows = [
        f"| `{key}` | {_default(key)} | {meaning} |" for key, meaning in sorted(MEANINGS.items())
    ]
    head = (
        "# Settings\n\nThe table `[tool.distify]` of the nearest pyproject.toml on the way up "
        "counts. `distify config` shows what holds for a folder, and who says so.\n\n"
        "| key | by default | meaning |\n|---|---|---|\n"
    )
    return head + "\n".join(rows) + "\n"


def _default(key: str) -> str:
    if key in NOT_SET or key == "tensorflow":
        return "not set"
    return f"`{json.dumps(DEFAULTS.get(key, []))}`"


# ---------------------------------------------------------------- links


def _linked(text: str, origin: str, name: str, repository: str) -> str:
    """The text with its links as they lead from the page; code stays as it is."""

    def change(found: re.Match[str]) -> str:
        mark, words, target = found[1], found[2], found[3]
        if re.match(r"[a-z]+:|#", target):
            return found[0]
        path, _, anchor = target.partition("#")
        there = posixpath.normpath(posixpath.join(posixpath.dirname(origin), path))
        page = _page_at(there)
        if page is None:
            outside = f"{repository}/tree/main/{there}"
            return f"{mark}[{words}]({outside})" if repository else words
        way = posixpath.relpath(page, posixpath.dirname(name) or ".")
        return f"{mark}[{words}]({way}{'#' * bool(anchor)}{anchor})"

    pieces, last = [], 0
    for fence in _FENCE.finditer(text):
        pieces += [_LINK.sub(change, text[last : fence.start()]), fence[0]]
        last = fence.end()
    return "".join([*pieces, _LINK.sub(change, text[last:])])


def _page_at(there: str) -> str | None:
    """The page that a file of the repository becomes; None for one that is no page."""
    if there in MOVED:
        return MOVED[there]
    folder, _, name = there.rpartition("/")
    if folder == "codemods/pages":
        return f"codes/{name}"
    if there.startswith("docs/"):
        return there[len("docs/") :]
    return None


def main() -> None:
    target = ROOT / "build" / "site-pages"
    shutil.rmtree(target, ignore_errors=True)
    found = build(target, os.environ.get("DISTIFY_REPOSITORY", "").rstrip("/"))
    tryout.lay(target / "tryout")
    text = yaml.safe_dump(found, sort_keys=False)
    (ROOT / "build" / "mkdocs.yml").write_text(text, encoding="utf-8")
    sys.stdout.write(f"{sum(1 for _ in target.rglob('*.md'))} pages in {target}\n")


if __name__ == "__main__":
    main()
