"""The probe in TF 1's graphs: it sees steps, states and broadcasts, and changes nothing.

Each form of `probed/graph_forms.py` runs twice on two workers: with the probe and without.
"""

from __future__ import annotations

import functools
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from probed_jobs import PROBED, Seen, job

FORMS = PROBED / "graph_forms.py"
STEPS = 12


@functools.cache
def pair(form: str, folder: Path) -> tuple[Seen, Seen]:
    """A form with the probe, and without."""
    program = (str(FORMS), form, "saved")
    return job(folder / "with", *program), job(folder / "without", *program, probe=False)


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Any:
    root = tmp_path_factory.mktemp("graphs")
    return lambda form: pair(form, root / form)


def has_estimator() -> bool:
    done = subprocess.run(
        [sys.executable, "-c", "import tensorflow as tf; tf.estimator"], capture_output=True
    )
    return done.returncode == 0


GRAPHS = ("session", "callable_of_session", "monitored", "keras")
each_form = pytest.mark.parametrize("form", [*GRAPHS, *(["estimator"] if has_estimator() else [])])


@each_form
def test_the_program_ends_as_it_does_unwatched(runs: Any, form: str) -> None:
    seen, unwatched = runs(form)
    assert seen.code == unwatched.code == 0, seen.output[-3000:] + unwatched.output[-3000:]
    assert len(seen.ranks) == 2


@each_form
def test_not_one_bit_of_what_it_trains_and_saves_changes(runs: Any, form: str) -> None:
    seen, unwatched = runs(form)
    assert unwatched.told()
    assert seen.told() == unwatched.told()


@each_form
def test_nothing_was_hidden_from_the_probe(runs: Any, form: str) -> None:
    mine = ("steps", "variables", "collectives", "loss", "rate", "graphs", "horovod", "errors")
    blind = [each for each in runs(form)[0].all("blind") if each["what"] in mine]
    assert blind == []


@each_form
def test_every_run_that_trains_is_a_step_and_no_other(runs: Any, form: str) -> None:
    for rank in (0, 1):
        ends = runs(form)[0].all("state", rank, at="end")
        assert sum(ends[-1]["steps"]) == STEPS


@each_form
def test_states_are_taken_at_the_chosen_steps_and_at_the_end(runs: Any, form: str) -> None:
    states = runs(form)[0].all("state")
    taken = [max(state["steps"]) for state in states if state["at"] == "step"]
    assert taken[:5] == [1, 2, 3, 4, 5]
    assert states[-1]["at"] == "end"


@each_form
def test_the_workers_hold_the_same_values_at_every_state(runs: Any, form: str) -> None:
    seen, _ = runs(form)
    first, second = (seen.all("state", rank) for rank in (0, 1))
    assert [each["hashes"] for each in first] == [each["hashes"] for each in second]
    start, last = first[0]["hashes"], first[-1]["hashes"]
    assert all(last[key] != start[key] for key in start)


@each_form
def test_slots_are_part_of_a_state(runs: Any, form: str) -> None:
    optimizer, last = runs(form)[0].all("optimizer")[0], runs(form)[0].all("state")[-1]
    slots = [key for key in last["hashes"] if "/slot/" in key]
    assert len(slots) >= len(optimizer["variables"])
    plain = {f"0/{name}#{n}" for n, name in enumerate(optimizer["variables"])}
    assert plain <= set(last["hashes"])


@each_form
def test_the_optimizer_is_told_as_distributed_with_its_rate(runs: Any, form: str) -> None:
    seen, _ = runs(form)
    optimizer = seen.all("optimizer")[0]
    assert optimizer["distributed"]
    assert optimizer["where"].startswith("graph_forms.py:")
    assert optimizer["rate"] == pytest.approx(0.02)
    assert seen.all("rate")[0]["value"] == pytest.approx(0.02)


@each_form
def test_gradients_are_told_as_given_to_horovod(runs: Any, form: str) -> None:
    reduces = runs(form)[0].all("reduce")
    assert {each["of"] for each in reduces} == {"variables"}
    assert {each["by"] for each in reduces} == {"optimizer"}


@each_form
def test_a_broadcast_is_told_when_it_is_built_and_when_it_runs(runs: Any, form: str) -> None:
    seen, _ = runs(form)
    built, ran = seen.all("broadcast", traced=True), seen.all("broadcast", traced=False)
    assert built
    assert len(ran) == len(built)
    assert ran[0]["root"] == 0
    assert set(seen.all("optimizer")[0]["variables"]) <= set(ran[0]["names"])


@each_form
def test_a_loss_is_known_of_each_step_where_it_can_be_fetched(runs: Any, form: str) -> None:
    seen, _ = runs(form)
    assert [each["steps"] for each in seen.all("loss")][:5] == [1, 2, 3, 4, 5]
    assert seen.all("loss")[0]["value"] != seen.all("loss", 1)[0]["value"]  # each its own examples


@each_form
def test_collectives_of_a_graph_are_traced_and_no_more_is_claimed(runs: Any, form: str) -> None:
    seen, _ = runs(form)
    assert seen.all("collective")
    assert {each["traced"] for each in seen.all("collective")} == {True}
    assert seen.all("collectives")[-1]["n"] == 0


@each_form
def test_every_wait_came_to_its_end(runs: Any, form: str) -> None:
    seen, _ = runs(form)
    waits, kinds = seen.all("waiting"), ("init", "allreduce", "broadcast")
    assert [kind for kind in kinds if kind in {wait["kind"] for wait in waits}] == list(kinds)
    assert len(waits) == len(seen.all("done"))
    assert all(wait["where"].startswith("graph_forms.py:") for wait in waits)


def test_a_loss_that_no_step_computes_is_not_computed_for_the_probe(runs: Any) -> None:
    seen, unwatched = runs("pruned_loss")
    assert seen.code == unwatched.code == 0, seen.output[-3000:]
    assert seen.told() == unwatched.told()
    assert seen.all("loss") == []
    assert seen.all("blind", what="loss")


def test_the_changing_rate_is_the_one_that_each_step_used(runs: Any) -> None:
    values = [each["value"] for each in runs("session")[0].all("rate")]
    assert values[:3] == pytest.approx([0.02, 0.02 * 0.9**0.2, 0.02 * 0.9**0.4])
    assert runs("session")[0].all("optimizer")[0]["schedule"] == "ExponentialDecay"


def test_moving_statistics_are_told_apart(runs: Any) -> None:
    seen, _ = runs("keras")
    first, second = (seen.all("state", rank)[-1]["moving"] for rank in (0, 1))
    assert [name.rpartition("/")[2] for name in first] == ["moving_mean:0", "moving_variance:0"]
    assert first != second  # each worker saw other examples


def test_callbacks_are_told_by_their_class(runs: Any) -> None:
    assert [each["names"] for each in runs("keras")[0].all("callback")] == [["TerminateOnNaN"]]


def test_the_last_step_is_the_one_that_was_asked_for(tmp_path: Path) -> None:
    seen = job(tmp_path, str(FORMS), "monitored", "saved", limit_steps=3)
    assert seen.code == 0, seen.output[-3000:]
    for rank in (0, 1):
        assert [each["steps"] for each in seen.all("limited", rank)] == [3]
        assert seen.all("state", rank)[-1]["steps"] == [3]
        assert seen.all("state", rank)[-1]["hashes"]
