"""The documentation site is whole: every page is in the nav, every link leads to something."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from distify.assistant import codemods
from distify.assistant.cli.commands import MODULES
from distify.assistant.files.config import KEYS
from distify.assistant.files.toml import load

ROOT = Path(__file__).resolve().parent.parent
SOURCE = importlib.util.spec_from_file_location("website", ROOT / "bench" / "website.py")
assert SOURCE is not None
assert SOURCE.loader is not None
website = importlib.util.module_from_spec(SOURCE)
SOURCE.loader.exec_module(website)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("site")
    return folder, website.build(folder)


def named(nav: Any) -> Iterator[str]:
    """The pages of a nav, in their order."""
    if isinstance(nav, str):
        yield nav
    else:
        for each in nav.values() if isinstance(nav, dict) else nav:
            yield from named(each)


def anchors(text: str) -> set[str]:
    """The names of the headings, as mkdocs gives them."""
    heads = re.findall(r"^#+ (.+)$", website._FENCE.sub("", text), flags=re.M)
    plain = (re.sub(r"[^\w\- ]", "", head).strip().lower() for head in heads)
    return {re.sub(r"[ \-]+", "-", head) for head in plain}


def test_every_page_is_in_the_nav_once(site: tuple[Path, dict[str, Any]]) -> None:
    folder, settings = site
    pages = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md"))
    assert sorted(named(settings["nav"])) == pages
    assert len(pages) > 110
    assert {"index.md", "try.md", "overview.md", "codes/messages.md"} <= set(pages)


def test_every_link_leads_to_a_page_and_a_heading(site: tuple[Path, dict[str, Any]]) -> None:
    folder, _ = site
    seen = 0
    for page in folder.rglob("*.md"):
        text = website._FENCE.sub("", page.read_text(encoding="utf-8"))
        for _, _, target in website._LINK.findall(text):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            there = (page.parent / path).resolve() if path else page
            assert there.is_file(), (page.name, target)
            if anchor:
                assert anchor in anchors(there.read_text(encoding="utf-8")), (page.name, target)
            seen += 1
    assert seen > 100


def test_every_code_has_a_page_where_reports_say(site: tuple[Path, dict[str, Any]]) -> None:
    folder, _ = site
    for code in codemods.pages():
        address = codemods.address(code)
        assert address is not None
        text = (folder / f"{address.rstrip('/')}.md").read_text(encoding="utf-8")
        assert text.startswith(codemods.page(code).split("\n")[0])
        assert code[0] in website.GROUPS
    for rule in codemods.changes():
        text = (folder / "codes" / f"{rule.code}.md").read_text(encoding="utf-8")
        assert rule.before in text
        assert rule.after in text


def test_the_references_are_whole(site: tuple[Path, dict[str, Any]]) -> None:
    folder, _ = site
    commands = (folder / "reference" / "command-line.md").read_text(encoding="utf-8")
    assert re.findall(r"^## distify (.+)$", commands, flags=re.M) == list(MODULES)
    for option in ("--report FILE", "--baseline FILE", "--output-dir DIR", "--model"):
        assert option in commands
    assert set(website.MEANINGS) == set(KEYS)
    settings = (folder / "reference" / "settings.md").read_text(encoding="utf-8")
    assert all(f"| `{key}` |" in settings for key in KEYS)


def test_links_out_of_the_site_go_to_the_repository_where_it_is_known() -> None:
    text = "[a](../bench/speed.py) [b](verify.md#x) [c](../codemods/pages/D104.md) `[d](x.py)`\n"
    linked = website._linked(text, "docs/quality.md", "quality.md", "")
    assert linked.startswith("a [b](verify.md#x) [c](codes/D104.md)")
    away = website._linked(text, "docs/quality.md", "quality.md", "https://f.example/o/distify")
    assert away.startswith("[a](https://f.example/o/distify/tree/main/bench/speed.py) [b]")
    fenced = "```python\nx[0](../y.py)\n```\n"
    assert website._linked(fenced, "docs/x.md", "x.md", "") == fenced


def test_the_site_loads_nothing_from_elsewhere() -> None:
    settings = yaml.safe_load((ROOT / "docs" / "mkdocs.yml").read_text(encoding="utf-8"))
    assert settings["theme"]["font"] is False
    assert "extra_javascript" not in settings
    page = (ROOT / "docs" / "site" / "theme" / "main.html").read_text(encoding="utf-8")
    (policy,) = re.findall(r'content="(default-src [^"]*)"', page)
    assert "connect-src 'self';" in policy
    assert "http" not in policy
    for path in (ROOT / "docs" / "site").glob("*.*s"):
        assert "//" not in re.sub(
            r"^\s*//.*|(?<=; )// .*|(?<=\) )// .*", "", path.read_text(), flags=re.M
        )


def test_the_landing_page_shows_what_distify_makes_today(site: tuple[Path, dict[str, Any]]) -> None:
    from distify.codemods.migrate import migrate

    folder, _ = site
    landing = (folder / "index.md").read_text(encoding="utf-8")
    programs = re.findall(r"    ```python title=\"train.py\"\n(.*?)    ```\n", landing, re.S)
    before, after = (textwrap.dedent(each) for each in programs)
    assert migrate(before).after == after != before
    assert "{{" not in landing + (folder / "try.md").read_text(encoding="utf-8")


def test_every_code_is_in_the_list_and_in_the_gallery_once(
    site: tuple[Path, dict[str, Any]],
) -> None:
    folder, _ = site
    listed = (folder / "codes" / "index.md").read_text(encoding="utf-8")
    assert re.findall(r"^\[\*\*(\w+)\*\* ", listed, re.M) == sorted(codemods.pages(), key=grouped)
    gallery = (folder / "codes" / "messages.md").read_text(encoding="utf-8")
    heads = re.findall(r"^### (\w+) ", website._FENCE.sub("", gallery), re.M)
    assert heads == sorted(codemods.pages(), key=grouped)


def grouped(code: str) -> tuple[int, str]:
    return list(website.GROUPS).index(code[0]), code


def test_the_gallery_says_what_distify_says() -> None:
    """Of each restriction that blocks or warns there is a program, on which distify was run."""
    shown = {each.code: each for each in website.gallery.shown()}
    assert all(each.about for each in shown.values())
    assert [code for code in shown if not shown[code].example] == ["C07"]
    unsaid = {code for code in shown if shown[code].said is None}
    restricted = {code for code in shown if code[0] in "GKLNRT"} - {"N04"}
    assert not restricted & unsaid
    assert len({"H" + code[1:] for code in shown if code[0] == "H"} & unsaid) <= 4
    for each in shown.values():
        if each.said is not None:
            page = website.gallery.page([each], {each.code[0]: "x"})
            assert f"{each.code} line {each.said.line}: {each.said.title}\n" in page
            assert each.said.more in page


def test_the_citation_is_one() -> None:
    from importlib import resources

    from jsonschema import Draft7Validator

    vendored = resources.files("check_jsonschema.builtin_schemas.vendor")
    schema = json.loads((vendored / "citation-file-format.json").read_text(encoding="utf-8"))
    said = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    Draft7Validator(schema).validate(said)
    import distify

    assert said["version"] == distify.__version__


def test_a_release_has_links_that_work_from_anywhere(tmp_path: Path) -> None:
    """The workflow itself is run on the README: the package index knows no folder around it."""
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8"))
    (step,) = (s for s in workflow["jobs"]["build"]["steps"] if "README" in s.get("name", ""))
    (tmp_path / "README.md").write_bytes((ROOT / "README.md").read_bytes())
    known = {"GITHUB_SERVER_URL": "https://f.example", "GITHUB_REPOSITORY": "o/distify"}
    environment = {"PATH": os.environ["PATH"], "GITHUB_REF_NAME": "v1.2.3", **known}
    subprocess.run(["bash", "-ec", step["run"]], cwd=tmp_path, env=environment, check=True)
    before = website._LINK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    after = website._LINK.findall((tmp_path / "README.md").read_text(encoding="utf-8"))
    assert len(after) == len(before) > 20
    base = "https://f.example/o/distify"
    for (mark, _, target), (_, _, now) in zip(before, after):
        kind = "raw" if mark else "blob"
        assert now == (target if ":" in target else f"{base}/{kind}/v1.2.3/{target}")


def test_a_release_says_where_its_pages_are(tmp_path: Path) -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8"))
    (step,) = (s for s in workflow["jobs"]["build"]["steps"] if "metadata" in s.get("name", ""))
    (tmp_path / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    known = {"GITHUB_SERVER_URL": "https://f.example", "GITHUB_REPOSITORY": "O/distify"}
    known |= {"GITHUB_REPOSITORY_OWNER": "O", "GITHUB_REF_NAME": "v1.2.3"}
    environment = {"PATH": os.environ["PATH"], **known}
    subprocess.run(["bash", "-ec", step["run"]], cwd=tmp_path, env=environment, check=True)
    said = load(str(tmp_path / "pyproject.toml"))
    assert said["project"]["urls"] == {
        "Documentation": "https://o.github.io/distify/",
        "Repository": "https://f.example/O/distify",
        "Issues": "https://f.example/O/distify/issues",
        "Changelog": "https://f.example/O/distify/blob/v1.2.3/CHANGELOG.md",
    }


@pytest.mark.parametrize(
    ("said", "address"),
    [
        ("https://d.example/x", "https://d.example/x/codes/D104/"),
        ("https://d.example/", "https://d.example/codes/D104/"),
        ("javascript:x", "codes/D104/"),
        ("", "codes/D104/"),
    ],
)
def test_pages_are_found_from_anywhere_where_it_is_known_where_they_are(
    said: str, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distify.assistant import pages
    from distify.assistant.report.formats.sarif import _rule

    monkeypatch.setenv("DISTIFY_PAGES", said)
    assert pages.address("D104") == address
    assert pages.address("D999") is None
    assert _rule("D104").get("helpUri") == (address if ":" in address else None)
