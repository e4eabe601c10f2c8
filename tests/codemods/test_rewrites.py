"""What holds for every rewrite there is."""

from __future__ import annotations

import ast
import re
from importlib import import_module, resources
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

from distify.codemods import rewrites
from distify.codemods.edits import Places
from distify.codemods.migrate import migrate
from distify.codemods.model import Migration
from distify.codemods.rewrites import Rewrite
from links import Asked, check_links

SCREEN = 100  # lines, besides those of the examples

each_rewrite = pytest.mark.parametrize("rewrite", rewrites.all(), ids=lambda rule: rule.code)


def only(rewrite: Rewrite, text: str) -> Migration:
    """What a rule makes of a text, with those it needs and nothing else."""
    options = rewrite.options._replace(unsound=True, select=frozenset({rewrite.code}))
    return migrate(text, options, f"<{rewrite.code}>")


@each_rewrite
def test_the_example_works(rewrite: Rewrite) -> None:
    found = only(rewrite, rewrite.before)
    assert not found.blocked
    assert found.after == rewrite.after
    assert rewrite.code in [step.code for step in found.steps]


@each_rewrite
def test_where_nothing_is_to_be_done_nothing_is_done(rewrite: Rewrite) -> None:
    assert rewrite.noop, "a rule says what it leaves alone"
    for text in rewrite.noop:
        assert rewrite.code not in [step.code for step in only(rewrite, text).steps]


@each_rewrite
def test_a_second_run_changes_nothing(rewrite: Rewrite) -> None:
    everything = migrate(rewrite.before).after
    assert migrate(everything).after == everything
    for text in rewrite.noop:
        once = only(rewrite, text).after
        assert only(rewrite, once).after == once


@each_rewrite
def test_every_step_is_a_program(rewrite: Rewrite) -> None:
    for text in (rewrite.before, *rewrite.noop):
        for step in migrate(text).steps:
            compile(step.text, step.code, "exec", dont_inherit=True)


@each_rewrite
def test_no_step_is_empty_and_each_says_where(rewrite: Rewrite) -> None:
    found = migrate(rewrite.before)
    texts = [found.before, *(step.text for step in found.steps)]
    assert all(one != other for one, other in zip(texts, texts[1:]))
    assert all(step.places for step in found.steps)


def has_indented_lines(rewrite: Rewrite) -> bool:
    """Whether the example tells what the file's unit of indentation is."""
    return re.search(r"^    \S", rewrite.before, re.MULTILINE) is not None


@each_rewrite
def test_whatever_the_line_ends_the_result_is_the_same(rewrite: Rewrite) -> None:
    for end in ("\r\n", "\r"):
        found = only(rewrite, rewrite.before.replace("\n", end))
        assert found.after == rewrite.after.replace("\n", end)


@each_rewrite
def test_without_a_final_newline_there_is_none_afterwards(rewrite: Rewrite) -> None:
    found = only(rewrite, rewrite.before.rstrip("\n"))
    assert found.after == rewrite.after.rstrip("\n")


@pytest.mark.parametrize(
    "rewrite", [r for r in rewrites.all() if has_indented_lines(r)], ids=attrgetter("code")
)
def test_the_indentation_of_the_file_is_kept(rewrite: Rewrite) -> None:
    found = only(rewrite, _with_tabs(rewrite.before))
    assert found.after == _with_tabs(rewrite.after)


def _with_tabs(text: str) -> str:
    return re.sub(
        r"^(?: {4})+", lambda found: "\t" * (len(found[0]) // 4), text, flags=re.MULTILINE
    )


@each_rewrite
def test_no_line_ends_in_white_space(rewrite: Rewrite) -> None:
    assert not re.search(r"[ \t]$", only(rewrite, rewrite.before).after, re.MULTILINE)


@each_rewrite
def test_the_page_exists(rewrite: Rewrite) -> None:
    page = resources.files("distify.codemods.pages").joinpath(f"{rewrite.code}.md")
    assert page.read_text(encoding="utf-8").startswith(f"# {rewrite.code}")


@each_rewrite
def test_the_module_is_found_by_its_name_and_fits_one_screen(rewrite: Rewrite) -> None:
    file = Path(str(import_module(rewrite.module).__file__))
    assert file.stem == f"{rewrite.code.lower()}_{rewrite.name.replace('-', '_')}"
    examples = (rewrite.before, rewrite.after, *rewrite.noop)
    lines = len(file.read_text(encoding="utf-8").splitlines())
    assert lines - sum(text.count("\n") for text in examples) <= SCREEN
    assert rewrite.summary.endswith(".")


@each_rewrite
def test_no_rewrite_imports_another(rewrite: Rewrite) -> None:
    tree = ast.parse(Path(str(import_module(rewrite.module).__file__)).read_text(encoding="utf-8"))
    imported = {n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    assert not [name for name in imported if re.match(r"d\d", name.rpartition(".")[2])]


def test_they_are_ordered_by_code_and_need_only_what_there_is() -> None:
    codes = [rewrite.code for rewrite in rewrites.all()]
    assert codes == sorted(set(codes))
    assert all(rewrite.needs <= set(codes) for rewrite in rewrites.all())
    assert all(max(rewrite.needs, default="") < rewrite.code for rewrite in rewrites.all())


# -- the chains --------------------------------------------------------------------------------


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    found = Asked()
    found.listen(monkeypatch)
    return found


@each_rewrite
def test_there_is_one_link_for_each_kind_of_edit(rewrite: Rewrite, asked: Asked) -> None:
    check_links(rewrite)


@each_rewrite
def test_each_filter_is_asked_and_refuses_something_in_the_example(
    rewrite: Rewrite, asked: Asked
) -> None:
    check_links(rewrite)
    asked.answers.clear()
    chosen = frozenset({rewrite.code})
    migrate(
        rewrite.before,
        rewrite.options._replace(select=chosen, unsound=True),
    )
    kinds = {link.filters[0].__name__ for link in rewrite.build(Places([])).transforms}
    assert kinds <= set(asked.answers)
    assert [kind for kind in kinds if False not in asked.answers[kind]] == []


@each_rewrite
def test_a_chain_is_one_query_and_nothing_else(rewrite: Rewrite) -> None:
    tree = ast.parse(Path(str(import_module(rewrite.module).__file__)).read_text(encoding="utf-8"))
    (chain,) = (
        node for node in tree.body if isinstance(node, ast.FunctionDef) and node.decorator_list
    )
    *docstring, only = chain.body
    assert len(docstring) <= 1
    assert isinstance(only, ast.Return)
    assert not [node for node in ast.walk(only) if isinstance(node, ast.Lambda)]


class Dummy:
    """A query whose links match what this pattern says, whatever a rule selects."""

    pattern = "file_input< 'nowhere' >"

    def __init__(self) -> None:
        self.query = rewrites.Query()

    def select(self, pattern: str) -> Dummy:
        self.query.select(self.pattern)
        return self

    def filter(self, callback: Any) -> Dummy:
        self.query.filter(callback)
        return self

    def modify(self, callback: Any) -> Dummy:
        self.query.modify(callback)
        return self

    def compile(self) -> Any:
        return self.query.compile()

    @property
    def transforms(self) -> Any:
        return self.query.transforms


class Empty(Dummy):
    """A query that compiles to nothing."""

    def compile(self) -> Any:
        return []


class Everything(Dummy):
    """A query that leaves everything to the filters."""

    pattern = "any"


@each_rewrite
@pytest.mark.parametrize("dummy", [Dummy, Empty])
def test_nothing_is_edited_but_by_the_query(
    rewrite: Rewrite, dummy: type[Dummy], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module(rewrite.module), "Query", dummy)
    found = only(rewrite, rewrite.before)
    assert [each.code for each in found.blocked] == ["P04"]
    assert re.match(f"what {rewrite.code} .*no pattern", found.blocked[0].message)


@each_rewrite
def test_a_query_without_patterns_is_seen(
    rewrite: Rewrite, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module(rewrite.module), "Query", Everything)
    with pytest.raises(AssertionError):
        check_links(rewrite)
