"""Programs of the wild (`tests/data/cases`) on two workers: what distify writes trains in step.

What people have written and is wrong with certainty on any two workers is convicted, its sound
twin acquitted. Those that need more workers, another machine, or what isn't installed here are
judged by reading alone (`tests/codemods/judge/test_cases.py`).
"""

from __future__ import annotations

from pathlib import Path

import pytest
from proof import verify

from distify.codemods.migrate import migrate

HERE = Path(__file__).parents[1] / "data" / "cases"
MIGRATED = [
    line.partition(" | ")[0]
    for line in (HERE / "table.txt").read_text(encoding="utf-8").splitlines()
    if "| migrated" in line and not line.startswith(("keras3/", "refused/keras3", "horovod/"))
]
# They need data that isn't here: files, downloads, another library.
UNFED = {
    *("single/edit_given_twice", "single/endless_recursion", "refused/list_of_submodels"),
    *("refused/placeholder", "refused/optimizer_by_argument", "refused/optimizer_by_dictionary"),
    *("refused/optimizers_get", "refused/while_loss_of_history"),
}
SHORT = ("single/generator_function", "single/tf1_iterators")  # a loop and a session, for the gate
# What fails on two workers of one machine, whatever they draw.
CONVICTED = (
    *("before_init", "extra_variable", "global_variables_eager", "join_sparse", "metrics_late"),
    *("none_gradients", "skip_short_batch", "steps_of_own_share", "swallowed", "traced_by_rank"),
    "warmup_schedule",
)
ACQUITTED = (
    *("array_split", "metrics_late", "optimizer_with_tape", "out_of_range", "rate_on_rank0"),
    *("restore_hook_late", "skip_short_batch", "steps_of_own_share"),
)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=[] if n in SHORT else [pytest.mark.slow])
        for n in MIGRATED
        if n not in UNFED
    ],
)
def test_a_result_trains_in_step(name: str, tmp_path: Path) -> None:
    program = tmp_path / "train.py"
    text = (HERE / f"{name}.py").read_text(encoding="utf-8")
    program.write_text(migrate(text, name=name).after, encoding="utf-8")
    proof = verify(program, tmp_path)
    assert not proof.convicted, str(proof)
    assert proof.code == 0, str(proof)


@pytest.mark.slow
@pytest.mark.parametrize("name", CONVICTED)
def test_what_is_wrong_is_convicted(name: str, tmp_path: Path) -> None:
    proof = verify(HERE / "horovod" / f"{name}_bad.py", tmp_path)
    assert proof.code == 1, str(proof)


@pytest.mark.slow
@pytest.mark.parametrize("name", ACQUITTED)
def test_what_is_sound_is_acquitted(name: str, tmp_path: Path) -> None:
    proof = verify(HERE / "horovod" / f"{name}_ok.py", tmp_path)
    assert not proof.convicted, str(proof)
