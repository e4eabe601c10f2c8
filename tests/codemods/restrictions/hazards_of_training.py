"""What goes wrong in Horovod that a person has written, and its twins that are right: H06 to H09."""

from __future__ import annotations

TAPE = """\
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1 * hvd.size())
"""
STEP = """\
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(model(tf.ones((2, 2))))
"""
WRAP = "tape = hvd.DistributedGradientTape(tape)\n"
GRADS = "grads = tape.gradient(loss, model.trainable_variables)\n"
APPLY = "opt.apply_gradients(zip(grads, model.trainable_variables))"
BOTH = "opt = hvd.DistributedOptimizer(opt)\n"
GRAPH = """\
import tensorflow.compat.v1 as tf
import horovod.tensorflow as hvd

hvd.init()
weights = tf.get_variable("weights", [3, 1])
loss = tf.reduce_mean(weights)
opt = tf.train.AdamOptimizer(0.01 * hvd.size())
"""
RUN = """\
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(hvd.broadcast_global_variables(0))
    session.run(train)
"""
KERAS = """\
import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd

hvd.init()
x, y = np.ones((8, 4)), np.ones((8, 1))
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1 * hvd.size())), "mse")
SPREAD = hvd.callbacks.BroadcastGlobalVariablesCallback(0)
MEAN = hvd.callbacks.MetricAverageCallback()
stop = tf.keras.callbacks.EarlyStopping("loss")
slow = tf.keras.callbacks.ReduceLROnPlateau("loss")
keep = tf.keras.callbacks.ModelCheckpoint("m.h5")
rate = tf.keras.callbacks.LearningRateScheduler(lambda epoch: 0.1)


class Tell(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        print(hvd.allreduce(logs["loss"]))


class Show(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        print(logs["loss"])


"""
FIT = "model.fit(x, y, callbacks=callbacks)\n"
LIST = "callbacks = [SPREAD, MEAN]\n"


def added(what: str, test: str = "hvd.rank() == 0") -> str:
    return f"{KERAS}{LIST}if {test}:\n    callbacks.append({what})  #\n{FIT}"


def stopped(how: str) -> str:
    own = f"class Stop(Show):\n    def on_epoch_end(self, epoch, logs=None):\n        {how}\n\n\n"
    return f"{KERAS}{own}callbacks = [SPREAD, MEAN, Stop()]\n{FIT}"


def listed(what: str) -> str:
    return f"{KERAS}callbacks = [{what}]\n{FIT}"


TOLD = {
    "H06": {
        "an optimizer, too": TAPE + BOTH + STEP + WRAP + GRADS + APPLY + "  #\n",
        "an optimizer that is made so": TAPE
        + BOTH.replace("(opt)", "(tf.keras.optimizers.Adam(0.1))")
        + STEP
        + WRAP
        + GRADS
        + APPLY
        + "  #\n",
        "clipped between": TAPE
        + BOTH
        + STEP
        + WRAP
        + GRADS
        + "grads = [tf.clip_by_norm(g, 1.0) for g in grads]\n"
        + APPLY
        + "  #\n",
        "by hand": TAPE
        + STEP
        + WRAP
        + GRADS
        + "grads = [hvd.allreduce(g) for g in grads]\n"
        + APPLY
        + "  #\n",
        "by hand, as pairs": TAPE
        + STEP
        + WRAP
        + GRADS
        + "opt.apply_gradients([(hvd.allreduce(g), v) for g, v in zip(grads, model.trainable_variables)])  #\n",
        "in what minimizes": TAPE
        + BOTH
        + STEP
        + WRAP
        + "opt.minimize(loss, model.trainable_variables, tape=tape)  #\n",
        "by hand, as a sum": TAPE
        + STEP
        + WRAP
        + GRADS
        + "grads = [hvd.allreduce(g, op=hvd.Sum) for g in grads]\n"
        + APPLY
        + "  #\n",
    },
    "H07": {
        "the result is dropped": KERAS + "hvd.DistributedOptimizer(opt)  #\n",
        "of a tape, too": TAPE
        + STEP
        + "hvd.DistributedGradientTape(tape)  #\n"
        + GRADS
        + APPLY
        + "\n",
        "dropped in a graph": GRAPH
        + "hvd.DistributedOptimizer(opt)  #\ntrain = opt.minimize(loss)\n"
        + RUN,
        "minimized before": GRAPH + "train = opt.minimize(loss)  #\n" + BOTH + RUN,
        "minimized beside": GRAPH
        + "wrapped = hvd.DistributedOptimizer(opt)\ntrain = opt.minimize(loss)  #\n"
        + RUN,
        "computed before": GRAPH
        + "pairs = opt.compute_gradients(loss)  #\n"
        + BOTH
        + "train = opt.apply_gradients(pairs)\n"
        + RUN,
        "by tf.gradients": GRAPH
        + BOTH
        + "grads = tf.gradients(loss, [weights])\ntrain = opt.apply_gradients(zip(grads, [weights]))  #\n"
        + RUN,
    },
    "H08": {
        "a stop": added("stop"),
        "a plateau": added("slow"),
        "a schedule": added("rate"),
        "made there": added("tf.keras.callbacks.EarlyStopping('loss')"),
        "what averages": added("hvd.callbacks.MetricAverageCallback()"),
        "a class that waits": added("Tell()"),
        "on all others": added("stop", "hvd.rank() > 0"),
        "by a flag": KERAS
        + "chief = hvd.rank() == 0\n"
        + LIST
        + "if chief:\n    callbacks += [stop]  #\n"
        + FIT,
        "a stop by hand": stopped(
            "if hvd.rank() == 0:\n            self.model.stop_training = True  #"
        ),
        "a stop by hand, and a loss": stopped(
            "if hvd.rank() == 0 and logs['loss'] < 1:\n            self.model.stop_training = True  #"
        ),
        "a stop behind an exit": stopped(
            "if hvd.rank():\n            return\n        self.model.stop_training = True  #"
        ),
        "in a list of its own": KERAS
        + "if hvd.rank() == 0:\n    callbacks = [SPREAD, MEAN, stop]  #\nelse:\n    callbacks = [SPREAD, MEAN]\n"
        + FIT,
    },
    "H09": {
        "a stop": listed("SPREAD, stop, MEAN"),
        "a plateau": listed("SPREAD, slow, MEAN"),
        "made there": listed("tf.keras.callbacks.EarlyStopping('loss'), MEAN"),
        "in the call": KERAS + "model.fit(x, y, callbacks=[SPREAD, stop, MEAN])\n",
        "added later": KERAS + "callbacks = [SPREAD, stop]\ncallbacks.append(MEAN)\n" + FIT,
        "both": listed("SPREAD, slow, MEAN, stop"),
        "a sum": KERAS
        + "callbacks = [SPREAD, stop]\n"
        + FIT.replace("=callbacks", "=callbacks + [MEAN]"),
        "lengthened": KERAS + "callbacks = [SPREAD, slow]\ncallbacks += [MEAN]\n" + FIT,
    },
}
RIGHT = {
    "H06": {
        "the tape alone": TAPE + STEP + WRAP + GRADS + APPLY + "\n",
        "the optimizer alone": TAPE + BOTH + STEP + GRADS + APPLY + "\n",
        "by hand alone": TAPE
        + STEP
        + GRADS
        + "grads = [hvd.allreduce(g) for g in grads]\n"
        + APPLY
        + "\n",
        "in what minimizes alone": TAPE
        + BOTH
        + STEP
        + "opt.minimize(loss, model.trainable_variables, tape=tape)\n",
        "the loss for a report": TAPE + STEP + WRAP + GRADS + APPLY + "\nhvd.allreduce(loss)\n",
        "Keras, beside": KERAS + LIST + FIT,
        "a graph": GRAPH + BOTH + "train = opt.minimize(loss)\n" + RUN,
    },
    "H07": {
        "kept": KERAS + "opt = hvd.DistributedOptimizer(opt)\nmodel.compile(opt, 'mse')\n",
        "given on": KERAS + "model.compile(hvd.DistributedOptimizer(opt), 'mse')\n",
        "an error that is wanted": KERAS
        + "with pytest.raises(ValueError):\n    hvd.DistributedOptimizer(3)\n",
        "minimized behind": GRAPH + BOTH + "train = opt.minimize(loss)\n" + RUN,
        "computed by it": GRAPH
        + BOTH
        + "pairs = opt.compute_gradients(loss)\ntrain = opt.apply_gradients(pairs)\n"
        + RUN,
        "one of two": GRAPH
        + "opt, rate = hvd.DistributedOptimizer(opt), 0.1\ntrain = opt.minimize(loss)\n"
        + RUN,
        "one of what a function returns": GRAPH
        + "def build():\n    opt = hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.1))\n"
        + "    return opt, 3\n\n\nopt, n = build()\ntrain = opt.minimize(loss)\n"
        + RUN,
        "each of two": GRAPH
        + BOTH
        + "train = [each.minimize(cost) for each, cost in ((opt, loss), (opt, -loss))]\n"
        + RUN,
        "another optimizer": GRAPH
        + "wrapped = hvd.DistributedOptimizer(opt)\ntrain = wrapped.minimize(loss)\n"
        + "local = tf.train.AdamOptimizer(0.1).minimize(own)\n"
        + RUN,
        "averaged by hand": GRAPH
        + BOTH
        + "grads = [hvd.allreduce(g) for g in tf.gradients(loss, [weights])]\n"
        + "train = opt.apply_gradients(zip(grads, [weights]))\n"
        + RUN,
    },
    "H08": {
        "what writes the best model": added("hvd.callbacks.BestModelCheckpoint('m.h5')"),
        "on all workers": KERAS + LIST + "callbacks.append(stop)\n" + FIT,
        "what only writes": added("keep"),
        "a class that only shows": added("Show()"),
        "by an option": added("stop", "args.early"),
        "by the number of workers": added(
            "hvd.callbacks.MetricAverageCallback()", "hvd.size() > 1"
        ),
        "in both branches": KERAS
        + "if hvd.rank() == 0:\n    callbacks = [SPREAD, MEAN, stop, keep]\nelse:\n    callbacks = [SPREAD, MEAN, stop]\n"
        + FIT,
        "in both parts": KERAS
        + "callbacks = [SPREAD, MEAN, stop, keep] if hvd.rank() == 0 else [SPREAD, MEAN, stop]\n"
        + FIT,
        "a stop of all": stopped("self.model.stop_training = epoch > 3"),
        "a stop that all are told": stopped(
            "if hvd.rank() == 0:\n            self.model.stop_training = True\n"
            "        self.model.stop_training = hvd.broadcast_object(self.model.stop_training, 0)"
        ),
        "no stop": stopped("if hvd.rank() == 0:\n            self.model.stop_training = False"),
        "names of them": KERAS + "if hvd.rank() == 0:\n    print(['EarlyStopping', 3])\n",
    },
    "H09": {
        "one of two lists": KERAS
        + "if spare:\n    callbacks = [stop]\nelse:\n    callbacks = [SPREAD, MEAN]\n"
        + FIT,
        "a stop behind": listed("SPREAD, MEAN, stop"),
        "both behind": listed("SPREAD, MEAN, slow, stop"),
        "what only writes": listed("SPREAD, keep, MEAN"),
        "a schedule": listed("SPREAD, rate, MEAN"),
        "none that averages": listed("SPREAD, stop"),
        "added in order": KERAS + LIST + "callbacks.append(stop)\n" + FIT,
        "a sum in order": KERAS + LIST + FIT.replace("=callbacks", "=callbacks + [stop]"),
        "a sum the other way": KERAS
        + "callbacks = [stop]\n"
        + FIT.replace("=callbacks", "=[MEAN] + callbacks"),
        "lengthened in order": KERAS + LIST + "callbacks += [stop]\n" + FIT,
        "lengthened now and then": KERAS
        + "callbacks = [stop]\nif spare:\n    callbacks += [MEAN]\n"
        + FIT,
        "put in front": KERAS + "callbacks = [stop]\ncallbacks.insert(0, MEAN)\n" + FIT,
    },
}
BLOCKING = {(code, name) for code in ("H07", "H08", "H09") for name in TOLD[code]}
RUN_ON_TWO = {
    "fit_collective_in_callback": "H08",
    "fit_early_stopping_on_one_worker": "H08",
    "fit_plateau_on_one_worker": "H08",
    "session_minimize_before_wrapping": "H07",
    "session_of_tf_gradients": "H07",
}
