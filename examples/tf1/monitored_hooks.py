"""A monitored session with a list of hooks, checkpoints, summaries and a decaying rate."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.ERROR)

BATCH_SIZE = 16
STEPS = 120

x_train = np.random.RandomState(1).uniform(-1, 1, size=(640, 5)).astype("float32")
y_train = np.tanh(x_train.sum(axis=1, keepdims=True))


def input_fn():
    dataset = tf.data.Dataset.from_tensor_slices((x_train, y_train))
    dataset = dataset.shuffle(640).repeat().batch(BATCH_SIZE)
    return tf.data.make_one_shot_iterator(dataset).get_next()


features, labels = input_fn()
hidden = tf.layers.dense(features, 12, activation=tf.nn.relu)
predictions = tf.layers.dense(hidden, 1)
loss = tf.losses.mean_squared_error(labels, predictions)
tf.summary.scalar("loss", loss)

global_step = tf.train.get_or_create_global_step()
rate = tf.train.exponential_decay(0.01, global_step, decay_steps=40, decay_rate=0.9)
train_op = tf.train.AdamOptimizer(rate).minimize(loss, global_step=global_step)

hooks = [tf.train.StopAtStepHook(last_step=STEPS), tf.train.NanTensorHook(loss)]
# Every second would be too often for larger models.
hooks.append(tf.train.LoggingTensorHook({"step": global_step, "loss": loss}, every_n_iter=40))

with tf.train.MonitoredTrainingSession(
    checkpoint_dir="checkpoints",
    hooks=hooks,
    save_summaries_steps=20,
) as sess:
    while not sess.should_stop():
        _, value = sess.run([train_op, loss])
        print("loss", value)
