"""Programs of the wild (`tests/data/cases`) on two workers: what distify writes trains in step.

What people have written and is wrong with certainty on any two workers is convicted, its sound
twin acquitted. Those that need more workers, another machine, or what isn't installed here are
judged by reading alone (`tests/codemods/judge/test_cases.py`).
"""

from __future__ import annotations

import subprocess
import sys
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
    *("refused/config_arg_ns", "refused/config_helper", "refused/config_ini"),
    "refused/config_omega",
}
SHORT = ("single/generator_function", "single/tf1_iterators")  # a loop and a session, for the gate
# What is wrong with each, and the options that show what two workers of one run don't: shares that
# are uneven at nine workers, a second run that goes on from a file, another machine.
CONVICTED = {
    "array_split": ("D107",),
    "before_init": ("D102",),
    "extra_variable": ("D202",),
    "global_variables_eager": ("D202",),
    "join_sparse": ("H02",),
    "metrics_late": ("D302",),
    "none_gradients": ("H04",),
    "out_of_range": ("D107", "--as", "9"),
    "restore_hook_late": ("H03", "--resume"),
    "shard_local_rank": ("D107", "--machines", "2"),
    "skip_short_batch": ("H12",),
    "steps_of_own_share": ("D107",),
    "swallowed": ("H12",),
    "traced_by_rank": ("H02",),
    "warmup_schedule": ("D302",),
}
UNTRAINED = {"stream_moved"}  # it takes no step: there is nothing for `verify` to judge
ACQUITTED = (
    *("array_split", "metrics_late", "optimizer_with_tape", "out_of_range", "rate_on_rank0"),
    *("restore_hook_late", "skip_short_batch", "steps_of_own_share"),
)
LEFT = (
    "import tensorflow as tf; "
    "model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))]); "
    "model.compile(tf.keras.optimizers.SGD(0.02), loss='mse'); model.save('model.h5')"
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
    code, *options = CONVICTED[name]
    workers = 0 if "--as" in options else 2
    proof = verify(HERE / "horovod" / f"{name}_bad.py", tmp_path, *options, workers=workers)
    assert proof.code == 1, str(proof)
    second = proof.report.get("second_run", {}).get("verdicts", [])
    later = {each["code"] for each in second if each["grade"] == "convicted"}
    assert code in proof.convicted | later, str(proof)


def test_each_bad_one_is_tried() -> None:
    bad = {path.stem[: -len("_bad")] for path in (HERE / "horovod").glob("*_bad.py")}
    assert bad == set(CONVICTED) | UNTRAINED


@pytest.mark.slow
@pytest.mark.parametrize("name", ACQUITTED)
def test_what_is_sound_is_acquitted(name: str, tmp_path: Path) -> None:
    proof = verify(HERE / "horovod" / f"{name}_ok.py", tmp_path)
    assert not proof.convicted, str(proof)


@pytest.mark.slow
def test_optimizers_of_a_file_are_not_wrapped_by_this_keras(tmp_path: Path) -> None:
    """Sound until TensorFlow 2.10: Horovod 0.28.1 offers Keras its classes by names in small
    letters, which Keras 2.15 doesn't look for: the optimizer of the file stays a plain one.
    """
    subprocess.run([sys.executable, "-c", LEFT], cwd=tmp_path, check=True, capture_output=True)
    proof = verify(HERE / "horovod" / "only_load.py", tmp_path)
    assert "D105" in proof.convicted, str(proof)
