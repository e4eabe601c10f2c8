"""Two epochs of an Estimator, which ends where the data does; plain SGD."""
import os

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.ERROR)

BATCH_SIZE = int(os.environ.get("BATCH_SIZE", "20"))
LEARNING_RATE = float(os.environ.get("LEARNING_RATE", "0.05"))
EXAMPLES = int(os.environ.get("EXAMPLES", "1000"))


def input_fn():
    inputs = np.random.RandomState(11).normal(size=(EXAMPLES, 4)).astype("float32")
    outputs = np.sin(inputs[:, :1]) + inputs[:, 1:2]
    dataset = tf.data.Dataset.from_tensor_slices((inputs, outputs)).repeat(2)
    iterator = tf.data.make_one_shot_iterator(dataset.batch(BATCH_SIZE))
    x, y = iterator.get_next()
    return {"x": x}, y


def model_fn(features, labels, mode):
    hidden = tf.layers.dense(features["x"], 8, activation=tf.nn.tanh)
    predictions = tf.layers.dense(hidden, 1)
    loss = tf.losses.mean_squared_error(labels, predictions)
    train_op = tf.train.GradientDescentOptimizer(LEARNING_RATE).minimize(
        loss, global_step=tf.train.get_or_create_global_step()
    )
    return tf.estimator.EstimatorSpec(mode=mode, loss=loss, train_op=train_op)


session_config = tf.ConfigProto(allow_soft_placement=True)
run_config = tf.estimator.RunConfig(tf_random_seed=7, session_config=session_config)
estimator = tf.estimator.Estimator(model_fn, config=run_config)
estimator.train(input_fn)
