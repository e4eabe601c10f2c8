"""What is said of a hazard: the names and the lines that a person has to look at, and the remedy."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

from .hazards_of_training import APPLY, FIT, GRADS, KERAS, LIST, STEP, TAPE, WRAP
from .test_hazards import TOLD, found

SAID = [
    ("H06", "an optimizer, too", "by the wrapped tape in line 11, and once more by `opt`:"),
    ("H06", "by hand", "by the wrapped tape in line 10, and once more by `hvd.allreduce`:"),
    ("H07", "the result is dropped", "`hvd.DistributedOptimizer` gives a new object, which nobody"),
    ("H07", "of a tape, too", "`hvd.DistributedGradientTape` gives a new object, which nobody"),
    ("H07", "minimized before", "these gradients are not computed by the optimizer that Horovod"),
    ("H08", "a stop", "`EarlyStopping` runs on some workers only, by `hvd.rank() == 0` in line 28: it ends"),
    ("H08", "a plateau", "`ReduceLROnPlateau` runs on some workers only, by `hvd.rank() == 0` in line 28: they"),
    ("H08", "what averages", "line 28: it waits for all the others, which have none"),
    ("H08", "by a flag", "`EarlyStopping` runs on some workers only, by `chief` in line 29"),
    ("H08", "a stop by hand", "`self.model.stop_training` is set on some workers only, by `hvd.rank() == 0`"),
    ("H09", "a stop", "`EarlyStopping` stands before MetricAverageCallback (line 27): it is"),
    ("H09", "a stop", "each worker's own, and one stops, and the others wait for ever"),
    ("H09", "lengthened", "`ReduceLROnPlateau` stands before MetricAverageCallback (line 28): it is"),
    ("H09", "lengthened", "each worker's own, and the workers go on with different rates"),
    ("H10", "in two lines", "multiplied by the number of workers twice: training"),
    ("H11", "hooks that are None", "`hooks.append` gives None: Horovod's and all others are lost"),
    ("H11", "initialized behind it", "each worker for itself, behind the broadcast in line 10"),
    ("H12", "a clock", "must call `hvd.allreduce`, and `time.time() > 9` in line 9 is answered"),
    ("H12", "a draw by a name", "and `lucky` in line 10 is answered by each for itself, by `np.random.randint(9)`"),
    ("H13", "behind zeros", "the GPU is chosen when `tf.zeros` in line 9 has taken all of them"),
    ("H13", "by the number in the job", "by the worker's number in the whole job"),
    ("H14", "by a name", "every worker writes to `folder` here"),
]  # fmt: skip
REMEDIES = [
    ("H08", "a stop by hand", "`self.model.stop_training = hvd.broadcast_object(self.model.stop"),
    ("H11", "hooks that are None", "write a list: `hooks=[*hooks, …]`"),
    ("H12", "a draw by a name", "`hvd.broadcast_object(lucky, root_rank=0)`"),
    ("H13", "by the number in the job", "write `hvd.local_rank()` for `hvd.rank()`"),
    ("H14", "by a name", "`folder if hvd.rank() == 0 else None`"),
]


@pytest.mark.parametrize(("code", "name", "words"), SAID)
def test_a_hazard_names_what_it_is_about(code: str, name: str, words: str) -> None:
    (finding,) = found(TOLD[code][name], code)
    assert words in finding.message


@pytest.mark.parametrize(("code", "name", "words"), REMEDIES)
def test_a_hazard_says_what_to_write(code: str, name: str, words: str) -> None:
    (finding,) = found(TOLD[code][name], code)
    assert words in finding.fix


@pytest.mark.parametrize(
    ("times", "words"),
    [(2, "twice"), (3, "three times"), (4, "again and again"), (5, "again and again")],
)
def test_a_rate_is_counted_how_often_it_is_multiplied(times: int, words: str) -> None:
    text = KERAS.replace("0.1 * hvd.size()", "0.1" + " * hvd.size()" * times)
    (finding,) = found(text + LIST + FIT, "H10")
    assert f"number of workers {words}:" in finding.message
    assert not found(KERAS + LIST + FIT, "H10")


def test_a_hazard_is_told_at_every_place() -> None:
    body = (
        STEP + WRAP + GRADS + "opt = hvd.DistributedOptimizer(opt)\n" + APPLY + "\n" + APPLY + "\n"
    )
    lines = [finding.line for finding in found(TAPE + body, "H06")]
    assert len(lines) == 2
    assert lines[1] == lines[0] + 1
    dropped = "hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1))\n"
    lines = [finding.line for finding in found(KERAS + dropped + dropped + LIST + FIT, "H07")]
    assert len(lines) == 2


@pytest.mark.parametrize("code", TOLD)
def test_a_hazard_stands_beside_whatever_blocks_the_file(code: str) -> None:
    text = next(iter(TOLD[code].values()))
    both = migrate(f"{text}\nfrom models import build\nbuild().fit(3)\n")
    said = [each for each in (*both.blocked, *both.notes) if each.code == code]
    assert said
    assert all(each.stands and each.proves for each in said)
