"""All examples and the hazards that live in graphs, as models: `make test-models`, every night."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from proof import Proof, verify
from test_model import modelled, modelled_with_arguments

HERE = Path(__file__).parent
EXAMPLES = sorted((HERE.parents[1] / "examples").glob("*.py"))
MODELLED = sorted((HERE / "modelled").glob("*.py"))
EAGER = {
    "tape_bare_variables",
    "tape_checkpoint_restore",
    "tape_module_level",
    "tape_persistent",
}
IN_GRAPHS = ("session_minimize_before_wrapping", "session_of_tf_gradients")
SESSIONS = sorted(
    path.name
    for path in (HERE / "hazards").iterdir()
    if path.name.startswith(("session_", "monitored_", "estimator_"))
)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_whose_step_is_a_graph_is_proved(
    example: Path, tmp_path: Path, migrate: Any
) -> None:
    proof = modelled(migrate(example), tmp_path)
    wanted = "could not be modelled" if example.stem in EAGER else "safe"
    assert proof.report["model"]["verdict"] == wanted, proof.report["model"]
    assert not proof.report["model"]["faults"]


@pytest.mark.parametrize("name", SESSIONS)
def test_a_repaired_session_is_proved(name: str, tmp_path: Path) -> None:
    proof = modelled(HERE / "hazards" / name / "repaired.py", tmp_path)
    assert proof.report["model"]["verdict"] == "safe", proof.report["model"]


@pytest.mark.parametrize("name", IN_GRAPHS)
def test_a_hazard_that_lives_in_a_graph_is_named(name: str, tmp_path: Path) -> None:
    proof = modelled(HERE / "hazards" / name / "broken.py", tmp_path)
    assert {fault["code"] for fault in proof.report["model"]["faults"]} == {"M01"}


@pytest.mark.parametrize("program", MODELLED, ids=lambda path: path.stem)
def test_a_program_is_judged_as_it_says(program: Path, tmp_path: Path) -> None:
    wanted = program.read_text(encoding="utf-8").partition("Model: ")[2].partition('"')[0]
    model = modelled(program, tmp_path).report["model"]
    told = sorted({fault["code"] for fault in model["faults"]}) or [model["verdict"]]
    assert told == [wanted], model


@pytest.mark.parametrize(
    ("form", "code", "crime"),
    [("drift", "M01", "H03"), ("hang", "M02", "H03"), ("repaired", "", "")],
)
def test_the_model_says_at_once_what_the_run_says_at_step_200(
    form: str, code: str, crime: str, tmp_path: Path
) -> None:
    for folder in (tmp_path / "short", tmp_path / "long"):
        folder.mkdir()
    short = modelled_with_arguments(tmp_path / "short", form, "199", "--limit-steps", "0")
    assert [fault["code"] for fault in short.report["model"]["faults"]] == [code] * bool(code)
    assert not short.convicted
    assert short.fine >= {"drift", "steps"}, str(short)
    assert short.steps == [199, 199]
    long = run_long(tmp_path / "long", form)
    assert long.convicted == set(filter(None, [crime])), str(long)
    assert (long.fine >= {"drift", "steps"}) == (form == "repaired"), str(long)


def run_long(folder: Path, form: str) -> Proof:
    """260 steps, without a model: the spike is in step 200."""
    text = (HERE / "probed" / "rare_branch.py").read_text(encoding="utf-8")
    program = folder / "rare_branch.py"
    text = text.replace("sys.argv[1]", repr(form)).replace("sys.argv[2]", "260")
    program.write_text(text, encoding="utf-8")
    return verify(program, folder, "--no-reference")
