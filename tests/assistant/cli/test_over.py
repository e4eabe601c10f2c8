"""`--tensorflow`, `--shard` and `--batch`: the command line counts more than the settings."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from distify.assistant import codemods
from distify.assistant.files.choice import Choice, Over
from distify.assistant.files.config import ConfigProblem

from ..conftest import TRAIN, Call, fake_migrate

SAID = '[tool.distify]\ntensorflow = "2.12"\nshard = "none"\n'


@pytest.mark.parametrize(
    ("over", "expected"),
    [
        (Over(), ((2, 12), False, "worker")),
        (Over((2, 18)), ((2, 18), False, "worker")),
        (Over(None, "auto"), ((2, 12), True, "worker")),
        (Over((2, 20), "none"), ((2, 20), False, "worker")),
        (Over(None, "auto", "global"), ((2, 12), True, "global")),
    ],
)
def test_what_was_given_counts_more_than_the_settings(
    here: Path, over: Over, expected: tuple[tuple[int, int], bool, str]
) -> None:
    (here / "pyproject.toml").write_text(SAID)
    options = Choice((), (), over=over).options_for(str(here))
    assert (options.tensorflow, options.shard, options.batch) == expected
    again: Choice = pickle.loads(pickle.dumps(Choice((), (), over=over)))  # for other processes
    assert again.options_for(str(here)) == options


def test_the_next_command_is_told_with_what_was_given(call: Call) -> None:
    Path("train.py").write_text(TRAIN)
    told = call("check", "--tensorflow", "2.18.1", "--shard", "none", "train.py").stdout
    assert "distify migrate --tensorflow 2.18 --shard none train.py" in told
    told = call("check", "--batch", "global", "train.py").stdout
    assert "distify migrate --batch global train.py" in told


@pytest.mark.parametrize("command", ["migrate", "check"])
def test_each_command_passes_them_on(
    call: Call, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("train.py").write_text(TRAIN)
    seen = []
    monkeypatch.setattr(
        codemods,
        "migrate",
        lambda text, options, name: seen.append(options) or fake_migrate(text, options, name),
    )
    call(command, "--tensorflow", "2.19", "--shard", "none", "train.py")
    assert {(each.tensorflow, each.shard) for each in seen} == {((2, 19), False)}


def test_a_word_that_is_no_version_is_named(call: Call) -> None:
    result = call("check", "--tensorflow", "newest")
    assert result.exit_code == 2
    assert "'newest' is no version such as 2.15" in result.stderr


def test_settings_that_need_another_tensorflow_are_named(here: Path) -> None:
    (here / "pyproject.toml").write_text('[tool.distify]\nkeras = "3"\n')
    with pytest.raises(ConfigProblem, match=r'keras = "3" needs TensorFlow 2\.16'):
        Choice((), (), over=Over((2, 15))).options_for(str(here))


def test_one_batch_of_all_workers_is_refused_beside_settings_that_forbid_it(here: Path) -> None:
    (here / "pyproject.toml").write_text("[tool.distify]\nwarmup = 5\n")
    with pytest.raises(ConfigProblem, match='not with batch = "global"'):
        Choice((), (), over=Over(batch="global")).options_for(str(here))
