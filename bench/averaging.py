"""What averaging the gradients costs a step: an allreduce each, one for all, Horovod's own tape.

`horovodrun -np 2 python bench/averaging.py`: the forms take turns every few steps in one job, so
that whatever else the machine does meets all of them; printed are ratios to the step that averages
nothing. The tape is there under Keras 2 alone: it knows no variables of Keras 3.
"""

from __future__ import annotations

import importlib
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

np: Any = importlib.import_module("numpy")  # the environment of the development tools has none
tf: Any = importlib.import_module("tensorflow")
hvd: Any = importlib.import_module("horovod.tensorflow")

TURN = 5  # steps
SHAPES = {"40 layers of 64": (40, 64), "4 layers of 1,024": (4, 1024)}


def network(layers: int, units: int) -> Any:
    """Dense layers alone: as many gradients as possible for the work of a step."""
    dense = [tf.keras.layers.Dense(units, activation="relu") for _ in range(layers)]
    return tf.keras.Sequential([tf.keras.Input((units,)), *dense])


def each(gradients: Sequence[Any]) -> list[Any]:
    """An allreduce for each gradient, as distify writes it."""
    return [None if g is None else hvd.allreduce(g) for g in gradients]


def grouped(gradients: Sequence[Any]) -> list[Any]:
    """One call for all of them."""
    return list(hvd.grouped_allreduce(list(gradients)))


def step(model: Any, mean: Callable[[Sequence[Any]], Sequence[Any]], wrap: Any = None) -> Any:
    """A compiled training step."""
    optimizer = tf.keras.optimizers.SGD(1e-3)

    def train(x: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x, training=True) ** 2)
        tape = tape if wrap is None else wrap(tape)
        gradients = mean(tape.gradient(loss, model.trainable_variables))
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    return tf.function(train)


def forms(layers: int, units: int) -> dict[str, Any]:
    """The steps by what averages in them."""
    found = {
        "nothing": step(network(layers, units), list),
        "allreduce": step(network(layers, units), each),
        "grouped_allreduce": step(network(layers, units), grouped),
    }
    if tf.keras.__version__.startswith("2."):
        found["tape"] = step(network(layers, units), list, hvd.DistributedGradientTape)
    return found


def measure(layers: int, units: int, turns: int) -> dict[str, float]:
    """The median time of a step of each form, in milliseconds."""
    x = tf.constant(np.random.default_rng(hvd.rank()).normal(size=(16, units)).astype("float32"))
    steps, seconds = forms(layers, units), dict[str, list[float]]()
    for turn in range(turns + 1):
        for name, train in steps.items():
            hvd.allreduce(tf.constant(0.0), name="together")
            began = time.perf_counter()
            for _ in range(TURN):
                loss = train(x)
            loss.numpy()
            if turn:  # the first one traces
                seconds.setdefault(name, []).append((time.perf_counter() - began) / TURN)
    return {name: 1000 * statistics.median(found) for name, found in seconds.items()}


def main() -> None:
    """Prints a line for each form."""
    hvd.init()
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    for title, (layers, units) in SHAPES.items():
        found = measure(layers, units, turns)
        if hvd.rank() == 0:
            print(f"{title}, Keras {tf.keras.__version__}, {hvd.size()} workers")
            for name, time_of_step in found.items():
                print(f"  {name:18} {time_of_step:8.1f} ms {time_of_step / found['nothing']:6.2f}")


if __name__ == "__main__":
    main()
