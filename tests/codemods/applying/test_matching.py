"""How links go through a tree: all of fissix's matches, inner nodes first, once each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fissix.patcomp import PatternCompiler

from distify.codemods.applying.matching import Walks, shapes
from distify.codemods.edits import patterns
from distify.codemods.rewrites import Query
from distify.codemods.syntax import LN, Leaf, parse, token

EXAMPLE = Path(__file__).parents[3] / "examples" / "keras_callback_list.py"
NAMED = {name: value for name, value in vars(patterns).items() if name.isupper()}
OTHERS = [
    "any",
    "any*",
    "'tf'",
    "power< any+ >",
    "power< any rest=any* >",
    "power< any* trailer< '.' any > any* >",
    "arglist< (any ',')* argument< any* > [','] >",
    "arglist< (any any)+ any >",
    "simple_stmt< either=any* >",
    "NAME any",
    "NAME | power | any< '(' any* ')' >",
    "(name=NAME | call=power< any* >) | arglist",
    "either=(NAME | NUMBER)",
    "argument< name='lr' '=' any > | NAME+",
]


@pytest.mark.parametrize("pattern", [*NAMED.values(), *OTHERS], ids=[*NAMED, *OTHERS])
def test_a_pattern_matches_what_it_matches_for_fissix(pattern: str) -> None:
    tree = parse(EXAMPLE.read_text(encoding="utf-8"))
    compiled = PatternCompiler().compile_pattern(pattern)
    wanted = []
    for node in tree.pre_order():
        caught: dict[str, Any] = {"node": node}
        if compiled.match(node, caught):
            wanted.append((node, caught))
    found = list(shapes(pattern).matches(tree.pre_order()))
    assert [id(node) for node, _ in found] == [id(node) for node, _ in wanted]
    assert [caught for _, caught in found] == [caught for _, caught in wanted]


def run(query: Query, text: str) -> str:
    tree = parse(text)
    walks = Walks(tree)
    for fixer in query.compile():
        walks.run(fixer, "x.py")
        walks.changed()
    return str(tree)


def test_inner_nodes_come_first_and_each_once() -> None:
    seen: list[str] = []

    def see(node: LN, capture: dict[str, Any], filename: str) -> None:
        assert (capture["node"], filename) == (node, "x.py")
        seen.append(str(node).strip())

    run(Query().select("power< any* >").modify(see), "f(g(1), h(2)).a\nk()\n")
    assert seen == ["g(1)", "h(2)", "f(g(1), h(2)).a", "k()"]


def test_a_filter_writes_into_its_own_capture() -> None:
    tree = parse("a\nb\n")
    walks = Walks(tree)
    seen = []

    def mark(node: LN, capture: dict[str, Any], filename: str) -> bool:
        seen.append(sorted(capture))
        capture["mark"] = node
        return True

    for fixer in Query().select("NAME").filter(mark).select("NAME").filter(mark).compile():
        walks.run(fixer, "x.py")
    assert seen == [["node"]] * 4


def test_a_link_sees_what_the_one_before_has_made() -> None:
    def rename(node: LN, capture: dict[str, Any], filename: str) -> LN:
        return Leaf(token.NUMBER, "1", prefix=node.prefix)

    def grow(node: LN, capture: dict[str, Any], filename: str) -> None:
        node.value += "0"
        node.changed()

    query = Query().select("NAME").modify(rename).select("NUMBER").modify(grow)
    assert run(query, "a = b + 2\n") == "10 = 10 + 20\n"
    assert run(Query().select("NAME").modify(lambda *at: at[0]), "a = b\n") == "a = b\n"


def test_a_pattern_that_is_none_is_an_error() -> None:
    with pytest.raises(Exception, match="nothing"):
        shapes("nothing< any >")


def test_a_thousand_calls_in_one_chain_are_matched() -> None:
    text = "x = ds" + ".map(f)" * 1000 + "\n"
    (match,) = shapes(patterns.CALL).matches(parse(text).pre_order())
    assert str(match[0]).strip() == text[4:-1]
