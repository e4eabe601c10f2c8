"""The programs of tests/distributed/raced, by the graphs that `distify race` wrote of them.

They were run 400 times each, with TensorFlow 2.15.1 on two cores:

    average_beside_step         0.98: 109, 1.0: 291          average_behind_step     0.98: 400
    clipped_beside_step         clipped 91, not 309          clipped_behind_step     clipped 400
    counted_twice               2: 400, no step was lost     additions               8.0: 400
    first_of_a_queue            1.0: 391, 2.0: 9             token_of_a_queue        8.0: 400
    gradients_not_gated         24 different results         gradients_gated         one result
    last_write_wins             2.0: 318, 5.0: 82            either_branch           as it decides
    lost_update                 8.0: 98, 3.0: 301, 5.0: 1    mutex                   8.0: 400
    two_sections                8.0: 69, 3.0: 62, 5.0: 269
    mutexes_crossed             stands still in the first
    queue_too_small             stands still in the first
    reference_beside_update     old 167, new 103, mixed 130  reference_behind_update new 400
    reference_through_branch    old 219, new 36, mixed 145
    target_copied_beside_step   new 1, else 399
    lock_free (50 runs)         six different results        with_a_lock (50 runs)   one result
    turns_of_a_loop             10 to 18, never 19           turns_in_order          19: 400
"""

from __future__ import annotations

import gzip
import json
import re
from functools import cache
from pathlib import Path

import pytest

from distify.assistant.verify.model import load
from distify.assistant.verify.model.agree import agreement
from distify.assistant.verify.model.alone import Orders, orders
from distify.assistant.verify.model.explore import Explored, explore
from distify.assistant.verify.model.graph import Graph
from distify.assistant.verify.model.guards import guarded
from distify.assistant.verify.model.kernel import Unmodelled
from distify.assistant.verify.model.lower import program
from distify.assistant.verify.model.modules import modules
from distify.assistant.verify.model.semantics import Machine
from distify.assistant.verify.model.slices import sliced

HERE = Path(__file__).parent
PROGRAMS = HERE.parents[2] / "distributed" / "raced"
NAMES = sorted(
    f"{path.parent.name}/{path.stem}"
    for kind in ("planted", "sound")
    for path in (PROGRAMS / kind).glob("*.py")
)
LOOPS = {name for name in NAMES if "/turns_" in name} | {"sound/function"}


@cache
def recorded() -> dict[str, tuple[Graph, ...]]:
    found = json.loads(gzip.decompress((HERE / "raced.json.gz").read_bytes()))
    return {
        name.removesuffix(".py"): tuple(load.graph(json.dumps(each)) for each in graphs)
        for name, graphs in found.items()
    }


def judged(name: str) -> Orders:
    return orders(recorded()[name])


def wanted(name: str) -> tuple[str, str] | None:
    """What a program says of itself: the code and the variable, or none."""
    text = (PROGRAMS / f"{name}.py").read_text(encoding="utf-8")
    found = re.search(r"Race: (?:none|(M\d\d) (\w+))", text)
    assert found, name
    return (found[1], found[2]) if found[1] else None


def test_there_are_twelve_of_each_at_least() -> None:
    assert sum(name.startswith("planted/") for name in NAMES) >= 12
    assert sum(name.startswith("sound/") for name in NAMES) >= 12
    assert sorted(recorded()) == NAMES
    assert all((wanted(name) is None) == name.startswith("sound/") for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_program_is_judged_as_it_says(name: str) -> None:
    found, said = judged(name), wanted(name)
    assert not found.unmodelled
    told = {(fault.code, each) for fault in found.faults for each in fault.names}
    assert bool(told) == bool(said), found.faults
    assert said is None or said in told or (said[0], "b") in told  # mutexes: either of the two
    for fault in found.faults:
        assert fault.where
        assert fault.where.startswith(name)
        assert fault.fix


def explored(graph: Graph) -> Explored:
    whole = program(graph)
    part = sliced(agreement(whole, guarded(whole)))
    return explore(Machine([part]), limit=200_000)


@pytest.mark.parametrize("name", [each for each in NAMES if each not in LOOPS])
def test_judging_says_what_exploring_finds(name: str) -> None:
    """A race has several ends, or stands still; what is sound has one, whatever the order.

    A queue that another run fills is explored as if it were empty: it is left out.
    """
    for graph in recorded()[name]:
        found = orders([graph])
        if graph.served:
            continue
        all_of_it = explored(graph)
        values = {variables for variables, _ in all_of_it.ends}
        codes = {fault.code for fault in found.faults}
        assert bool(all_of_it.deadlocks) == ("M05" in codes)
        # Two sections of a mutex come in two orders; and what starts from a first value is a note.
        few = 2 if any("never at once" in note for note in found.notes) else 1
        starts = any("first value" in note for note in found.notes)
        assert (len(values) > few) == ("M03" in codes) or starts


@pytest.mark.parametrize("name", sorted(LOOPS - {"sound/function"}))
def test_a_loop_in_which_something_is_touched_is_not_written(name: str) -> None:
    whys = [each.why for each in modules({0: recorded()[name]}) if not each.text]
    assert len(whys) == 1
    assert "the turns of loops are not written as TLA+" in whys[0]


def test_a_module_says_which_loops_it_leaves_out() -> None:
    for name in sorted(LOOPS):
        for graph in recorded()[name]:
            try:
                (made,) = modules({0: (graph,)})
            except Unmodelled:
                pytest.fail("a reason is told, and not raised")
            has_loop = any(
                node.kind in ("Enter", "While", "StatelessWhile") for node in graph.nodes
            )
            assert not made.text or has_loop == ("left out is the loop" in made.text)


def test_the_queue_of_a_case_has_a_module() -> None:
    texts = [each.text for each in modules({0: recorded()["planted/first_of_a_queue"]})]
    assert all(texts)
    assert any("Append(@" in text and "Head(" in text for text in texts)


# ---------------------------------------------------------------- in words


def only(name: str) -> tuple[str, list[str], str]:
    (fault,) = judged(name).faults
    return fault.text, [step.what for step in fault.path], fault.fix


def test_a_torn_read_is_told_with_an_order_and_the_way_out() -> None:
    text, witness, fix = only("planted/reference_beside_update")
    assert text.endswith(
        "`p` gets `w` of before or after ApplyGradientDescent of w, or a mixture of both"
    )
    assert witness == ["ApplyGradientDescent of w", "Mul, which reads w", "Assign of p"]
    place = r"planted/reference_beside_update\.py:\d+"
    assert re.fullmatch(
        rf"`with tf\.control_dependencies\(\[what {place} makes\]\):` around {place}, "
        r"or one `Session\.run` for each",
        fix,
    )


def test_a_resource_is_never_a_mixture() -> None:
    text, witness, _ = only("planted/lost_update")
    assert "an update can be lost" in text
    assert "mixture" not in text
    assert [each.partition(" ")[0] for each in witness] == [
        "ReadVariableOp",
        "AssignVariableOp",
        "AssignVariableOp",
    ]


def test_turns_are_told_as_such() -> None:
    text, _, fix = only("planted/turns_of_a_loop")
    assert "of one turn and of the next" in text
    assert "parallel_iterations=1" in fix


def test_what_a_mutex_keeps_apart_is_worth_knowing() -> None:
    assert judged("sound/mutex").notes == [
        "c is changed in either order, never at once: lock sees to that"
    ]
    notes = judged("sound/token_of_a_queue").notes
    assert "c is changed in either order, never at once: fifo_queue sees to that" in notes
