"""Train a forecast: `python train.py --units=8`."""

from absl import app, flags, logging

import tensorflow as tf

from forecast import models, series
from forecast.optimizers import create_optimizer

FLAGS = flags.FLAGS

flags.DEFINE_integer("epochs", 2, "How often all windows are seen.")
flags.DEFINE_integer("batch_size", 16, "How many windows make a step.")
flags.DEFINE_integer("length", 8, "How long a window is.")
flags.DEFINE_integer("units", 4, "How wide the layer is.")
flags.DEFINE_string("model_dir", "forecast_model", "Where the model goes.")


def main(_):
    tf.keras.utils.set_random_seed(0)
    x, y = series.windows(FLAGS.length)
    model = models.recurrent(FLAGS.length, FLAGS.units)
    model.compile(loss="mae", optimizer=create_optimizer())
    history = model.fit(x, y, batch_size=FLAGS.batch_size, epochs=FLAGS.epochs)
    logging.info("loss at the end: %.3f", history.history["loss"][-1])
    model.save(FLAGS.model_dir)


if __name__ == "__main__":
    app.run(main)
