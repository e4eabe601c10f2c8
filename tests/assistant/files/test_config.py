"""What a project says of itself; every error names file and key."""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.assistant.files.choice import Choice
from distify.assistant.files.config import ConfigProblem, Settings, excludes, settings

HEAD = "[tool.distify]\n"


def write(folder: Path, text: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pyproject.toml").write_text(text)


def test_every_key(here: Path) -> None:
    write(
        here,
        HEAD
        + 'tensorflow = "2.12"\nshard = "none"\nselect = ["D1"]\nignore = ["D104"]\n'
        + 'exclude = ["old/"]\nunsound = true\nrecompute = "sqrt"\nkeras = "legacy"\n',
    )
    path = str(here / "pyproject.toml")
    expected = Settings((2, 12), False, ("D1",), ("D104",), ("old/",), True, path, "sqrt")
    expected = expected._replace(keras="legacy")
    assert settings(str(here)) == expected
    assert settings(str(here / "src")) == expected
    assert excludes(str(here)) == ("old/",)


def test_the_nearest_table_counts(here: Path) -> None:
    write(here, HEAD + 'shard = "none"\n')
    write(here / "a", HEAD + "\n")
    write(here / "b", "[project]\nname = 'b'\n")
    path = str(here / "a" / "pyproject.toml")
    assert settings(str(here / "a/deep")) == Settings(path=path)
    assert settings(str(here / "b")).shard is False


@pytest.mark.parametrize("text", ["", "[tool.ruff]\n", "[project]\nname = 'x'\n", HEAD])
def test_silence_means_the_defaults(here: Path, text: str) -> None:
    write(here, text)
    assert settings(str(here))._replace(path="") == Settings()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + "tensorflow = 2.15\n", "tensorflow must be a version"),
        (HEAD + 'tensorflow = "two"\n', "tensorflow must be a version"),
        (HEAD + 'shard = "no"\n', 'shard must be "auto" or "none"'),
        (HEAD + "shard = false\n", 'shard must be "auto" or "none"'),
        (
            HEAD + "recompute = true\n",
            'recompute must be "halves" or "sqrt" or "binomial", not True',
        ),
        (HEAD + 'recompute = ""\n', 'recompute must be "halves" or "sqrt" or "binomial", not \'\''),
        (HEAD + 'learning-rate = "log"\n', 'must be "linear" or "sqrt" or "none", not \'log\''),
        (HEAD + "compression = true\n", 'compression must be "fp16", not True'),
        (HEAD + "warmup = true\n", "warmup must be a number from 0 to 10000, not True"),
        (HEAD + "warmup = -1\n", "warmup must be a number from 0 to 10000, not -1"),
        (HEAD + "warmup = 2.5\n", "warmup must be a number from 0 to 10000, not 2.5"),
        (HEAD + "snapshots = 0\n", "snapshots must be a number from 1 to 10000, not 0"),
        (HEAD + "recompute-base = 0\n", "recompute-base must be a number from 1 to 10000, not 0"),
        (HEAD + "backward_passes_per_step = 0\n", "must be a number from 1 to 10000, not 0"),
        (HEAD + "backward-passes-per-step = 2\n", "did you mean backward_passes_per_step?"),
        (HEAD + 'warmup = 5\nlearning-rate = "none"\n', 'not with learning-rate = "none"'),
        (HEAD + 'batch = "all"\n', 'batch must be "worker" or "global", not \'all\''),
        (HEAD + 'batch = "global"\nwarmup = 5\n', 'not with batch = "global"'),
        (HEAD + 'batch = "global"\nbackward_passes_per_step = 2\n', 'not with batch = "global"'),
        (HEAD + 'batch = "global"\nshard = "none"\n', 'not with batch = "global"'),
        (HEAD + "keras = 3\n", 'keras must be "3" or "legacy", not 3'),
        (HEAD + 'keras = "2"\n', 'keras must be "3" or "legacy", not \'2\''),
        (HEAD + 'keras = "3"\ntensorflow = "2.15"\n', "needs TensorFlow 2.16 or later, not 2.15"),
        (HEAD + 'select = "D104"\n', "select must be a list of strings"),
        (HEAD + 'unsound = "yes"\n', "unsound must be true or false"),
        (HEAD + "ignore = [1]\n", "ignore must be a list of strings"),
        (HEAD + 'models = "pkg.build"\n', "models must be a list of strings"),
        (HEAD + 'models = ["build"]\n', 'models names functions in full, as "pkg.build", not'),
        (HEAD + 'optimizers = ["pkg.make()"]\n', "optimizers names functions in full"),
        (HEAD + 'datasets = [".data.load"]\n', "datasets names functions in full"),
        (
            HEAD + 'models = ["a.b"]\ndatasets = ["a.b"]\n',
            "datasets names 'a.b', which gives something else by another key",
        ),
        (HEAD + "shards = 1\n", "no key 'shards'; did you mean shard?"),
        ("[tool]\ndistify = 3\n", "must be a table"),
        ("[tool.distify\n", "at line 1"),
    ],
)
def test_errors_name_file_and_key(here: Path, text: str, message: str) -> None:
    write(here, text)
    with pytest.raises(ConfigProblem) as caught:
        settings(str(here))
    assert str(here / "pyproject.toml") in str(caught.value)
    assert message in str(caught.value)


def test_a_pyproject_that_is_no_text(here: Path) -> None:
    (here / "pyproject.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigProblem, match=r"pyproject\.toml"):
        settings(str(here))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ((2, 15), "")),
        ('keras = "3"\n', ((2, 16), "3")),
        ('keras = "3"\ntensorflow = "2.20"\n', ((2, 20), "3")),
        ('keras = "legacy"\ntensorflow = "2.20"\n', ((2, 20), "legacy")),
    ],
)
def test_who_asks_for_keras_3_has_a_tensorflow_that_brings_it(
    here: Path, text: str, expected: tuple[tuple[int, int], str]
) -> None:
    write(here, HEAD + text)
    options = Choice((), ()).options_for(str(here))
    assert (options.tensorflow, options.keras) == expected


def test_factories_reach_the_rules(here: Path) -> None:
    lines = 'models = ["a.net", "a.net"]\noptimizers = ["a.b.opt"]\ndatasets = ["a.load"]\n'
    write(here, HEAD + lines)
    options = Choice((), ()).options_for(str(here))
    expected = (("a.net", "model"), ("a.b.opt", "optimizer"), ("a.load", "dataset"))
    assert options.factories == expected


def test_rates_and_compression_reach_the_rules(here: Path) -> None:
    lines = 'learning-rate = "sqrt"\ncompression = "fp16"\n'
    write(here, f"{HEAD}{lines}warmup = 5\nbackward_passes_per_step = 4\n")
    options = Choice((), ()).options_for(str(here))
    assert (options.learning_rate, options.compression) == ("sqrt", "fp16")
    assert (options.warmup, options.passes) == (5, 4)


def test_whose_a_batch_is_reaches_the_rules(here: Path) -> None:
    assert Choice((), ()).options_for(str(here)).batch == "worker"
    write(here / "kept", f'{HEAD}batch = "global"\n')
    assert Choice((), ()).options_for(str(here / "kept")).batch == "global"


def test_the_schedule_of_recomputation_reaches_the_rule(here: Path) -> None:
    write(here, f'{HEAD}recompute = "binomial"\nsnapshots = 3\nrecompute-base = 4\n')
    options = Choice((), ()).options_for(str(here))
    assert (options.recompute, options.snapshots, options.base) == ("binomial", 3, 4)
    write(here / "other", HEAD)
    options = Choice((), ()).options_for(str(here / "other"))
    assert (options.recompute, options.snapshots, options.base) == ("", 5, 1)
