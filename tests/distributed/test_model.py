"""`distify verify --model` on real programs: few runs here, all examples in `make test-models`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from proof import Proof, verify

HERE = Path(__file__).parent
RARE = HERE / "probed" / "rare_branch.py"


def modelled(program: Path, folder: Path, *options: str) -> Proof:
    return verify(program, folder, "--model", "--no-reference", *options)


def line(program: Path, text: str) -> int:
    lines = program.read_text(encoding="utf-8").splitlines()
    return next(n for n, each in enumerate(lines, 1) if each.strip() == text)


def test_a_rare_branch_is_named_though_the_run_is_in_step(tmp_path: Path) -> None:
    folder = tmp_path / "tla"
    proof = modelled_with_arguments(tmp_path, "drift", "3", "--tla", str(folder))
    model = proof.report["model"]
    assert proof.code == 1, str(proof)
    assert "drift" in proof.fine, str(proof)
    assert not proof.convicted
    (fault,) = model["faults"]
    assert (fault["code"], fault["grade"], fault["names"][0]) == ("M01", "possible", "Variable")
    places = [step["where"]["line"] for step in fault["path"] if step["where"]]
    assert line(RARE, "if decides < 100.0:") in places
    assert "CHECK_DEADLOCK TRUE" in (folder / "step_0.cfg").read_text()
    assert "\\E v \\in {0, 1}" in (folder / "step_0.tla").read_text()


def modelled_with_arguments(folder: Path, form: str, steps: str, *options: str) -> Proof:
    """The program's own arguments come last."""
    wrapper = folder / "rare_branch.py"
    text = RARE.read_text(encoding="utf-8").replace("sys.argv[1]", repr(form))
    wrapper.write_text(text.replace("sys.argv[2]", repr(steps)), encoding="utf-8")
    return modelled(wrapper, folder, *options)


def test_a_fit_with_an_optimizer_of_old_is_proved(tmp_path: Path, migrate: Any) -> None:
    example = HERE.parents[1] / "examples" / "keras_generator_split.py"
    proof = modelled(migrate(example), tmp_path)
    assert proof.report["model"]["verdict"] == "safe", json.dumps(proof.report["model"], indent=1)
    assert proof.code == 0, str(proof)
    assert proof.report["model"]["proved"]["trained"] > 4
    assert proof.steps == [2, 2]  # no more than is needed


def test_gradients_of_a_session_that_are_not_averaged(tmp_path: Path) -> None:
    program = HERE / "hazards" / "session_of_tf_gradients" / "broken.py"
    proof = modelled(program, tmp_path, "--limit-steps", "3")
    (fault,) = proof.report["model"]["faults"]
    assert (fault["code"], fault["grade"]) == ("M01", "convicted")  # the run saw it, too
    assert fault["names"][0] == "weights"
    assert proof.code == 1


def test_what_runs_eagerly_has_no_graph_and_is_not_called_safe(
    tmp_path: Path, migrate: Any
) -> None:
    proof = modelled(migrate(HERE.parents[1] / "examples" / "tape_bare_variables.py"), tmp_path)
    assert not proof.convicted
    assert proof.report["model"]["verdict"] == "could not be modelled"
    assert proof.code == 2


def test_variables_that_are_local_on_purpose_are_no_fault(tmp_path: Path) -> None:
    model = modelled(HERE / "modelled" / "local_layer.py", tmp_path).report["model"]
    assert (model["verdict"], model["faults"]) == ("safe", []), json.dumps(model, indent=1)
    # The shared layer, its momentum and the counter; the local layer and its momentum.
    assert model["proved"] == {"trained": 5, "agree": 5, "own": 0, "local": 4}
