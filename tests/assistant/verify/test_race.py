"""`distify race` from the command line, with a Python that only leaves recorded graphs behind.

tests/distributed/test_race.py runs it with a real one.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft4Validator

from distify.assistant.verify.run.installed import SettingProblem
from distify.assistant.verify.run.program_python import that_races

from ..conftest import Call
from ..report.test_page import parsed
from ..report.test_schemas import check

TESTS = Path(__file__).resolve().parents[2]
GRAPHS = Path(__file__).parent / "model" / "raced.json.gz"
PROGRAMS = TESTS / "distributed" / "raced"
# Stands for a Python with TensorFlow: what it is asked for it answers, what it runs it has run.
PYTHON = """\
#!{python}
import json, os, sys, time
if sys.argv[1] == "-c":
    print(json.dumps({{"python": "3.11.1", "tensorflow": {tensorflow!r}, "horovod": None,
        "keras": None, "tf_keras": None, "binding": False, "controllers": []}}))
    sys.exit()
folder = os.environ["DISTIFY_PROBE"]
with open(os.path.join(folder, "rank0.jsonl"), "w") as file:
    for event in [{{"event": "start", "t": 1.0, "rank": 0, "pid": os.getpid()}}, *{events!r}]:
        file.write(json.dumps(event) + "\\n")
with open(os.path.join(folder, "rank0.graphs.jsonl"), "w") as file:
    file.writelines(json.dumps(each) + "\\n" for each in json.loads({graphs!r}))
time.sleep({asleep})
sys.exit({code})
"""


class Project:
    """A program in a folder, and the Python that has run it."""

    def __init__(self, folder: Path, distify: Call) -> None:
        self.folder, self.distify = folder, distify

    def lay(self, name: str, events: list[dict[str, Any]] | None = None, **how: Any) -> None:
        """The program of that name, as `train.py`, and its graphs."""
        text = (PROGRAMS / f"{name}.py").read_text(encoding="utf-8")
        (self.folder / "train.py").write_text(text, encoding="utf-8")
        known = json.loads(gzip.decompress(GRAPHS.read_bytes())).get(f"{name}.py", [])
        graphs = json.dumps(known).replace(f"{name}.py:", "train.py:")
        chosen = {"tensorflow": "2.15.1", "asleep": 0, "code": 0, **how}
        fake = PYTHON.format(python=sys.executable, events=events or [], graphs=graphs, **chosen)
        (self.folder / "python").write_text(fake, encoding="utf-8")
        (self.folder / "python").chmod(0o755)

    def race(self, *options: str) -> Any:
        return self.distify("race", "train.py", "--python", "./python", *options)

    def report(self, *options: str) -> dict[str, Any]:
        return check(self.race("--format", "json", *options).stdout, "race-1.json")


@pytest.fixture
def project(here: Path, call: Call) -> Project:
    return Project(here, call)


def line(text: str) -> int:
    lines = Path("train.py").read_text(encoding="utf-8").splitlines()
    return next(n for n, each in enumerate(lines, 1) if text in each)


def test_a_race_is_told_with_its_lines(project: Project) -> None:
    project.lay("planted/reference_beside_update")
    said = project.race()
    assert said.exit_code == 1
    step, save = line("minimize("), line("save = ")
    told = " ".join(said.stdout.split())
    assert "train.py: RACES" in told
    assert f"M03 train.py:{step}: a variable is changed in an order" in told
    assert "`p` gets `w` of before or after ApplyGradientDescent of w, or a mixture of both" in told
    assert f"2. save = tf.assign(p, w * 1.0) (train.py:{save}): Mul, which reads w" in told
    assert f"control_dependencies([what train.py:{step} makes]):` around train.py:{save}" in told
    assert "# distify: race=meant why" in told


def test_a_sound_program_has_none(project: Project) -> None:
    project.lay("sound/mutex")
    found = project.report()
    assert (found["verdict"], found["exit_code"], found["faults"]) == ("no race", 0, [])
    assert found["notes"] == ["c is changed in either order, never at once: lock sees to that"]
    assert project.race().exit_code == 0


@pytest.mark.parametrize("at", ["minimize(", "save = "])
def test_one_that_is_meant_is_no_fault(project: Project, at: str) -> None:
    project.lay("planted/reference_beside_update")
    text = Path("train.py").read_text(encoding="utf-8").splitlines()
    text[line(at) - 1] += "  # distify: race=meant either will do"
    Path("train.py").write_text("\n".join(text), encoding="utf-8")
    found = project.report()
    assert (found["verdict"], found["exit_code"], found["faults"]) == ("no race", 0, [])
    (meant,) = found["meant"]
    assert (meant["code"], meant["why"]) == ("M03", "either will do")
    assert meant["comment"] == f"train.py:{line(at)}"
    assert "either will do" in project.race().stdout


@pytest.mark.parametrize(
    "written",
    ['"# distify: race=meant in a string"', "x = 1  # distify: race=meant elsewhere",
     "x = 1  # distify: race=no word of ours"],
)  # fmt: skip
def test_words_elsewhere_take_nothing_on(project: Project, written: str) -> None:
    project.lay("planted/reference_beside_update")
    with Path("train.py").open("a", encoding="utf-8") as file:
        file.write(f"{written}\n")
    assert len(project.report()["faults"]) == 1


def test_a_comment_is_for_races_not_for_what_blocks(project: Project) -> None:
    project.lay("planted/queue_too_small")
    text = Path("train.py").read_text(encoding="utf-8").splitlines()
    marked = (f"{each}  # distify: race=meant" if "queue" in each else each for each in text)
    Path("train.py").write_text("\n".join(marked), encoding="utf-8")
    assert [each["code"] for each in project.report()["faults"]] == ["M05"]


def test_runs_that_overlapped_are_laid_beside_each_other(project: Project) -> None:
    name = "sound/additions"
    project.lay(name)
    assert project.report()["faults"] == []
    graphs = json.loads(gzip.decompress(GRAPHS.read_bytes()))[f"{name}.py"]
    writing = [k for k, graph in enumerate(graphs) if "AssignVariableOp" in str(graph["nodes"])]
    overlap = {"event": "overlap", "t": 2.0, "one": writing[0], "other": len(graphs) - 1}
    project.lay(name, [overlap])
    assert all("runs of a session that overlap" in e["text"] for e in project.report()["faults"])


def test_a_program_that_fails_proves_nothing(project: Project) -> None:
    project.lay("sound/mutex", code=3)
    found = project.report()
    assert (found["verdict"], found["exit_code"]) == ("could not be modelled", 2)
    assert "the program ended with exit code 3" in found["unmodelled"][0]
    project.lay("planted/lost_update", code=3)
    assert project.report()["exit_code"] == 1  # what was found before stays found


def test_parts_of_a_graph_are_named(project: Project) -> None:
    why = "Session.partial_run runs a graph in parts, which is not modelled"
    project.lay("sound/mutex", [{"event": "blind", "t": 2.0, "what": "model", "why": why}])
    found = project.report()
    assert (found["verdict"], found["unmodelled"]) == ("could not be modelled", [why])


def test_a_program_without_graphs(project: Project) -> None:
    project.lay("threads/lock_free")
    found = project.report()
    assert (found["verdict"], found["graphs"]) == ("could not be modelled", 0)
    assert "no graph was run" in found["unmodelled"][0]


def test_sarif_and_pages(project: Project) -> None:
    schema = json.loads((TESTS / "data" / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    project.lay("planted/reference_beside_update")
    said = project.race("--report", "a.sarif", "--report", "a.html", "--report", "a.json")
    assert said.exit_code == 1
    sarif = json.loads(Path("a.sarif").read_text(encoding="utf-8"))
    Draft4Validator(schema).validate(sarif)
    (result,) = sarif["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("M03", "error")
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "train.py"
    assert place["region"]["startLine"] == line("minimize(")
    page = Path("a.html").read_text(encoding="utf-8")
    parsed(page)
    assert "or a mixture of both" in page
    check(Path("a.json").read_text(encoding="utf-8"), "race-1.json")


def test_a_report_of_another_kind_is_refused(project: Project) -> None:
    project.lay("sound/mutex")
    said = project.race("--report", "a.txt")
    assert said.exit_code == 2
    assert "neither .html, .json nor .sarif" in said.stderr


def test_a_python_without_tensorflow(project: Project) -> None:
    project.lay("sound/mutex", tensorflow=None)
    said = project.race()
    assert said.exit_code == 2
    assert "./python has no TensorFlow: name a Python that has it" in said.stderr
    with pytest.raises(SettingProblem, match="name a Python that has it"):
        that_races("./python")


def test_no_such_program(project: Project) -> None:
    said = project.distify("race", "none.py", "--python", "./python")
    assert (said.exit_code, "none.py does not exist" in said.stderr) == (2, True)
