"""Writes files in every way; the folder is the one it was started in."""

import os
import tempfile
from pathlib import Path

import h5py
import numpy as np
import tensorflow as tf

Path("opened").write_text("x")
os.rename("opened", "renamed")
np.save("array.npy", np.zeros(3))
np.savez("arrays.npz", a=np.zeros(3))
with h5py.File("data.h5", "w") as file:
    file["x"] = [1]
with tf.io.gfile.GFile("gfile", "w") as file:
    file.write("x")
tf.io.write_file("operation", "x")
with tf.io.TFRecordWriter("data.tfrecord") as records:
    records.write(b"x")
tf.summary.create_file_writer("summaries")
variable = tf.Variable(1.0)
checkpoint = tf.train.Checkpoint(variable=variable)
checkpoint.save("checkpoints/saved")
checkpoint.write("checkpoints/written")
tf.train.CheckpointManager(checkpoint, "managed", max_to_keep=1).save()
tf.saved_model.save(tf.Module(), "module")
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
model.compile("sgd", "mse")
model.save("model.keras")
model.save("model.h5")
model.save("model")
model.save_weights("model.weights.h5")
callbacks = [
    tf.keras.callbacks.CSVLogger("log.csv"),
    tf.keras.callbacks.ModelCheckpoint("best.h5"),
    tf.keras.callbacks.TensorBoard("board"),
    tf.keras.callbacks.BackupAndRestore("backup"),
]
model.fit(np.zeros((8, 2)), np.zeros((8, 1)), verbose=0, callbacks=callbacks)
tf.data.Dataset.range(3).cache("cache")
Path("keras").mkdir()  # elsewhere Keras would take a folder of its own
path = tf.keras.utils.get_file("fetched", Path("renamed").resolve().as_uri(), cache_dir="keras")
with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    old = tf.compat.v1.get_variable("old", [])
    session.run(old.initializer)
    tf.compat.v1.train.Saver().save(session, "saver/model", global_step=1)
    tf.compat.v1.summary.FileWriter("events")

# None of these could be another worker's.
Path("renamed").read_text()
h5py.File("data.h5").close()
with open(os.devnull, "w") as file:
    file.write("x")
Path(f"log.{os.getpid()}.txt").write_text("x")
with tempfile.NamedTemporaryFile() as file:
    file.write(b"x")
with tempfile.TemporaryFile() as file:
    file.write(b"x")
Path(tempfile.mkdtemp(), "inside").write_text("x")
Path.home().joinpath(".cache").mkdir(exist_ok=True)
Path.home().joinpath(".cache", "font").write_text("x")
reading, writing = os.pipe()
os.fdopen(writing, "w").close()
os.mkfifo("pipe")
os.close(os.open("pipe", os.O_RDWR))
