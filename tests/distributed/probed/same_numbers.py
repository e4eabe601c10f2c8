"""Prints all that a probe could change: weights, draws, what is saved, names and counts."""

import copy
import hashlib
import os
import pickle

import numpy as np
import tensorflow as tf

K = tf.keras
K.utils.set_random_seed(7)
x = np.random.rand(96, 8, 8, 1).astype("f4")
y = np.random.randint(0, 3, 96)


def told(what, *values):
    digest = hashlib.sha256(b"".join(np.asarray(value).tobytes() for value in values))
    print("TOLD", what, digest.hexdigest()[:16], flush=True)


def network():
    return K.Sequential(
        [
            K.layers.Conv2D(4, 3, activation="relu", input_shape=(8, 8, 1)),
            K.layers.BatchNormalization(),
            K.layers.Flatten(),
            K.layers.Dropout(0.3),
            K.layers.Dense(3),
        ]
    )


loss_of = K.losses.SparseCategoricalCrossentropy(from_logits=True)
model = network()
model.compile(K.optimizers.Adam(1e-2), loss_of, metrics=["accuracy"])
history = model.fit(x, y, batch_size=16, epochs=2, verbose=0)
told("fit", *model.get_weights(), *map(np.asarray, history.history.values()))
model.save("model.keras")
model.save("model_folder", save_format="tf")
told("loaded", *K.models.load_model("model_folder").get_weights())
again = copy.deepcopy(K.models.clone_model(model).get_config())
told("config", pickle.dumps(again), pickle.dumps(model.optimizer.get_config()["name"]))


class Trainer(tf.Module):
    def __init__(self):
        self.model = network()
        self.optimizer = K.optimizers.SGD(0.1, momentum=0.9)
        self.optimizer.build(self.model.trainable_variables)

    @tf.function(input_signature=[tf.TensorSpec([None, 8, 8, 1]), tf.TensorSpec([None], tf.int64)])
    def train(self, images, labels):
        images += tf.random.normal(tf.shape(images), stddev=0.1)
        with tf.GradientTape() as tape:
            loss = loss_of(labels, self.model(images, training=True))
        variables = self.model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss


trainer = Trainer()
losses = [trainer.train(x[i : i + 16], y[i : i + 16]) for i in range(0, 80, 16)]
told("function", *losses, *(v.numpy() for v in trainer.model.variables))
tf.saved_model.save(trainer, "trainer", signatures={"train": trainer.train.get_concrete_function()})
restored = tf.saved_model.load("trainer")
told("restored", restored.train(x[:16], y[:16]))
told("captured", len(trainer.train.get_concrete_function().captured_inputs))
names = tf.train.list_variables(
    tf.train.Checkpoint(trainer=trainer, model=model).save("checkpoint")
)
told("checkpoint", *(name.encode() for name, _ in names))
operations = [op.name for op in trainer.train.get_concrete_function().graph.get_operations()]
told("operations", *(name.encode() for name in operations if "distify_probe" not in name))
told("draws", tf.random.normal([3]).numpy(), np.random.rand(3))
for folder, _, files in os.walk("."):
    for file in files:
        with open(os.path.join(folder, file), "rb") as opened:
            assert b"distify_probe" not in opened.read(), file
