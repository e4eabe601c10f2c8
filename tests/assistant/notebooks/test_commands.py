"""Every command takes notebooks: what they say is by cell and line, what they write is JSON."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from distify.assistant.cli.notebook_run import Renamed, as_script
from distify.assistant.report.lines import Span
from distify.assistant.report.terminal import Terminal
from distify.assistant.verify.run.installed import SettingProblem
from distify.assistant.verify.run.job import Job

from ..conftest import Call
from .books import FIT, data, sources, training

TRAIN = data(training("%matplotlib inline", "print('read')\n!ls"))
BLOCKED = data(training(fit=f"x = x[: len(x) // 2]\nwith strategy.scope():\n    {FIT}"))
SHARED = """\
import tensorflow as tf

def build():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(optimizer=tf.keras.optimizers.SGD(0.1), loss="mse")
    return model
"""


def put(content: bytes = TRAIN, name: str = "train.ipynb") -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture
def repository(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for key in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{key}_NAME", "A")
        monkeypatch.setenv(f"GIT_{key}_EMAIL", "a@example.org")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    git("init", "-q", "-b", "main")
    return here


def test_nothing_is_written_where_nothing_trains(call: Call) -> None:
    content = data(training(fit="model.predict(x)"))
    path = put(content)
    result = call("migrate", "-v", "train.ipynb")
    assert result.exit_code == 0
    assert "train.ipynb  left as it was: no training loop" in result.stdout
    assert path.read_bytes() == content


def test_check_names_cell_and_line(call: Call) -> None:
    put()
    result = call("check", "train.ipynb")
    assert result.exit_code == 1
    assert "trains with Keras: model.fit at cell 6, line 1\n" in result.stdout
    assert "  D102  init-horovod       cell 4, line " in result.stdout


def test_concise_lines_are_worded_as_ruffs(call: Call) -> None:
    put()
    lines = call("check", "--format", "concise", "train.ipynb").stdout.splitlines()
    assert "train.ipynb:cell 6:1:1: D302 warning: " in "\n".join(lines)
    assert all(line.startswith("train.ipynb:cell ") for line in lines if "warning" in line)


def test_what_blocks_is_shown_with_its_line(call: Call) -> None:
    put(BLOCKED)
    result = call("migrate", "train.ipynb")
    assert result.exit_code == 1
    assert "cell 4, line 2: " in result.stdout
    assert "    2 | with strategy.scope():" in result.stdout
    assert "train.ipynb:cell 4:2:" in call("migrate", "-q", "train.ipynb").stderr
    assert Path("train.ipynb").read_bytes() == BLOCKED


def test_what_can_t_be_parsed_is_named_as_editors_jump(call: Call) -> None:
    put(data(training("a = = 1")))
    result = call("check", "train.ipynb")
    assert result.exit_code == 2
    assert "train.ipynb:cell 2:1:5: error: can't be parsed: invalid syntax" in result.stderr


def test_programs_get_the_cell_beside_the_line(call: Call) -> None:
    put()
    (file,) = json.loads(call("check", "--format", "json", "train.ipynb").stdout)["files"]
    assert file["evidence"][0]["cell"] == 6
    assert file["evidence"][0]["line"] == 1
    place = {"cell": 6, "line": 1, "end_line": 1, "column": 1, "end_column": len(FIT) + 1}
    assert place in file["changes"][-1]["places"]
    assert file["edits"]


def test_forges_get_lines_of_the_file_as_it_is(call: Call) -> None:
    put()
    lines = TRAIN.decode().splitlines()
    fit = next(number for number, line in enumerate(lines, 1) if FIT in line)
    told = call("check", "--format", "github", "train.ipynb").stdout
    assert f"line={fit},col=1,title=distify D302::cell 6, line 1: " in told
    run = json.loads(call("check", "--format", "sarif", "train.ipynb").stdout)["runs"][0]
    places = [each["locations"][0]["physicalLocation"]["region"] for each in run["results"]]
    assert {"startLine": fit, "startColumn": 1} in places
    assert applied(lines, run) == json.loads(changed(call))


def applied(lines: list[str], run: Any) -> Any:
    (fix,) = [fix for each in run["results"] for fix in each.get("fixes", ())]
    for each in reversed(fix["artifactChanges"][0]["replacements"]):
        region = each["deletedRegion"]
        new = each["insertedContent"]["text"].splitlines()
        lines[region["startLine"] - 1 : region["endLine"] - 1] = new
    return json.loads("\n".join(lines))


def changed(call: Call) -> bytes:
    assert call("migrate", "train.ipynb").exit_code == 0
    return Path("train.ipynb").read_bytes()


def test_migrate_tells_how_the_result_is_run(call: Call) -> None:
    put()
    result = call("migrate", "train.ipynb")
    script = "jupyter nbconvert --to script train.ipynb && horovodrun -np 2 ipython train.py"
    assert f"Prove it:  distify verify train.ipynb -np 2\nTrain:     {script}\n" in result.stdout
    put(data(training(metadata={})), "plain.ipynb")
    way = "--to script plain.ipynb && horovodrun -np 2 python plain.txt\n"
    assert way in call("migrate", "plain.ipynb").stdout


def test_the_difference_is_shown_by_cell(call: Call) -> None:
    put()
    lines = call("migrate", "--diff", "train.ipynb").stdout.splitlines()
    heads = [line for line in lines if line.startswith(("--- ", "+++ "))]
    names = [f"train.ipynb:cell {number}" for number in (4, 5, 6)]
    assert heads == [f"{sign} {name}" for name in names for sign in ("---", "+++")]
    assert "-model.fit(x, y, epochs=2)" in lines
    why = [line.split(" @@ ")[1] for line in lines if line.startswith("@@") and " @@ " in line]
    assert why[0] == "D101 import-horovod, D102 init-horovod"
    assert "D302 fit-callbacks" in why[-1]
    assert "D102" not in call("migrate", "--diff", "--quiet", "train.ipynb").stdout
    assert Path("train.ipynb").read_bytes() == TRAIN


def test_notebooks_in_folders_are_found_but_not_their_checkpoints(call: Call) -> None:
    put(name="a/train.ipynb")
    kept = put(name="a/.ipynb_checkpoints/train-checkpoint.ipynb")
    result = call("migrate", "a")
    assert "1 file rewritten; 1 file searched." in result.stdout
    assert kept.read_bytes() == TRAIN


def test_a_comment_in_a_cell_takes_a_finding(call: Call) -> None:
    put(data(training(fit=f"{FIT}  # distify: ignore[D107] all of it")))
    assert call("migrate", "--ignore", "D107", "--unsound", "train.ipynb").exit_code == 0
    put(data(training("# distify: skip-file")))
    assert "skip-file" in call("migrate", "-v", "train.ipynb").stdout


def test_a_baseline_knows_cells_wherever_they_stand(call: Call) -> None:
    put()
    assert call("check", "--baseline", "known.json", "--update-baseline").exit_code == 0
    put(data(training("%matplotlib inline", "# one more", "print('read')\n!ls")))
    assert call("check", "--baseline", "known.json").exit_code == 0


def test_each_rule_is_a_commit_that_undo_takes_back(call: Call, repository: Path) -> None:
    put()
    git("add", ".")
    git("commit", "-q", "-m", "a")
    result = call("migrate", "--commit", "train.ipynb")
    assert result.exit_code == 0, result.output
    ids = git("log", "--format=%H", "--reverse").split()[1:]
    assert len(ids) > 3
    for each in ids:
        made = json.loads(git("show", f"{each}:train.ipynb"))
        assert sources(made)[1] == "%matplotlib inline"
        assert "  train.ipynb:cell " in git("show", "-s", "--format=%B", each)
    assert call("undo").exit_code == 0
    assert Path("train.ipynb").read_bytes() == TRAIN


def test_the_walk_writes_what_was_answered(call: Call) -> None:
    put()
    rules = ("D101", "D102", "D104", "D107", "D203", "D301", "D302")
    tables = (
        f'[[answers]]\nfile = "train.ipynb"\nrule = "{rule}"\napply = {str(rule != "D203").lower()}'
        for rule in rules
    )
    Path("answers.toml").write_text("version = 1\n" + "\n".join(tables))
    result = call("migrate", "-i", "--answers", "answers.toml", "train.ipynb")
    assert result.exit_code == 0, result.output
    cells = sources(json.loads(Path("train.ipynb").read_bytes()))
    assert cells[2] == "print('read')\n!ls"
    assert "hvd.callbacks" in cells[5]


def test_a_module_that_changes_with_a_notebook_is_asked_for(call: Call) -> None:
    """And a notebook that runs what would change is a program like any other."""
    put(b"", "setup.py")
    put(SHARED.encode(), "model.py")
    put(data(training(fit=f"from model import build\nmodel = build()\n{FIT}")))
    told = call("migrate", "train.ipynb")
    assert told.exit_code == 1
    assert "T01 cell 4, line 1: `model.py:5` has to change together with this" in told.stdout
    assert call("migrate", "--check", "train.ipynb", "model.py").stdout.count("be rewritten\n") == 2
    put(data(training(fit="from model import build\nbuild().predict(x)")), "use.ipynb")
    told = call("migrate", "train.ipynb", "model.py")
    assert "change in another way for `use.ipynb`, which runs the same code" in told.stdout
    assert Path("model.py").read_text() == SHARED


def test_output_goes_to_another_folder(call: Call) -> None:
    put(name="src/train.ipynb")
    assert call("migrate", "--output-dir", "out", "src").exit_code == 0
    assert Path("src/train.ipynb").read_bytes() == TRAIN
    assert "hvd.init()" in Path("out/train.ipynb").read_text()


# -------------------------------------------------------------------- verify


def scripted(name: str = "train.ipynb") -> tuple[str, Renamed]:
    with as_script(Job(Path(name)), Terminal("never")) as (job, terminal):
        assert isinstance(terminal, Renamed)
        assert job.script.name == f"{name}.py"
        assert sorted(each.name for each in job.root.iterdir()) == ["model.py", job.script.name]
        return job.script.read_text(encoding="utf-8"), terminal


def test_verify_runs_a_script_beside_the_modules_in_a_scratch_folder(
    call: Call, capfd: pytest.CaptureFixture[str]
) -> None:
    put()
    put(SHARED.encode(), "model.py")
    text, _ = scripted()
    assert "pass\n# %% cell 3\nprint('read')\npass\n" in text
    assert "train.ipynb is run as a script of its code cells, without" in capfd.readouterr().err
    assert sorted(os.listdir()) == ["model.py", "train.ipynb"]


def test_verify_tells_places_in_cells(
    call: Call, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    put()
    put(SHARED.encode(), "model.py")
    text, terminal = scripted()
    line = text.split("\n").index("print('read')") + 1
    name = "train.ipynb.py"
    said = f'D201 {name}:{line}: File "/tmp/a/{name}", line {line} in /t/{name}'
    terminal.show([(Span(said),)])
    place = {"path": "train.ipynb.py", "line": line}
    document = {"where": place, "text": f"see train.ipynb.py:{line}", "other": {"path": 3}}
    written = terminal.document(json.dumps(document))
    shown = capfdbinary.readouterr().out.decode().rstrip("\n")
    told = 'D201 train.ipynb:cell 3:1: File "train.ipynb", cell 3, line 1 in train.ipynb'
    assert shown == told
    assert json.loads(written) == {
        "where": {"path": "train.ipynb", "cell": 3, "line": 1},
        "text": "see train.ipynb:cell 3:1",
        "other": {"path": 3},
    }


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{", "train.ipynb: is no JSON"),
        (data(training("a = 1\nfiles = !ls *.csv")), "train.ipynb:cell 2:2: `files = !ls"),
        (data(training("%run a.py")), "train.ipynb:cell 2:1: `%run` runs another file"),
    ],
)
def test_verify_refuses_what_needs_ipython(call: Call, content: bytes, said: str) -> None:
    put(content)
    with pytest.raises(SettingProblem) as refused, as_script(Job(Path("train.ipynb")), Terminal()):
        pass
    assert str(refused.value).startswith(said)


def test_verify_leaves_scripts_as_they_are() -> None:
    job, terminal = Job(Path("train.py")), Terminal()
    with as_script(job, terminal) as given:
        assert given == (job, terminal)


def test_a_line_of_a_shell_is_one_workers(call: Call) -> None:
    put(data(training("!pip install -q a\n!nvidia-smi", fit=f"!mv a b\n{FIT}")))
    assert call("migrate", "train.ipynb").exit_code == 0
    last = sources(json.loads(Path("train.ipynb").read_text("utf-8")))[-1]
    guarded = "if hvd.rank() == 0:\n    !mv a b\nhvd.broadcast(0, root_rank=0)"
    assert last.startswith(guarded)


def test_one_that_every_worker_would_run_is_refused(call: Call) -> None:
    content = data(training("!rm -rf a"))
    path = put(content)
    result = call("migrate", "train.ipynb")
    assert result.exit_code == 1
    assert "J11" in result.stdout
    assert "every worker runs this command line at once" in result.stdout
    assert path.read_bytes() == content
