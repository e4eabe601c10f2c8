"""A session without files, hooks in a function and one of the program's own; batches are fed."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()

flags = tf.app.flags
flags.DEFINE_float("learning_rate", 0.005, "Initial learning rate.")
flags.DEFINE_integer("max_steps", 90, "Number of steps to train.")
FLAGS = flags.FLAGS


class LossHook(tf.train.SessionRunHook):
    """Says now and then how far the training is."""

    def __init__(self, loss, every):
        self._loss = loss
        self._every = every
        self._step = 0

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(self._loss)

    def after_run(self, run_context, run_values):
        self._step += 1
        if self._step % self._every == 0:
            print("step", self._step, "loss", run_values.results)


def build_hooks(loss, every=30):
    hooks = [LossHook(loss, every)]
    hooks.append(tf.train.StopAtStepHook(num_steps=FLAGS.max_steps))
    hooks.append(tf.train.StepCounterHook(every_n_steps=20, output_dir="logs"))
    return hooks


def draw_batch(x_data, y_data, size=32):
    chosen = np.random.choice(len(x_data), size)
    return x_data[chosen], y_data[chosen]


def main(_):
    x_data = np.random.RandomState(4).normal(size=(500, 6)).astype("float32")
    y_data = np.abs(x_data).sum(axis=1, keepdims=True)

    x = tf.placeholder(tf.float32, [None, 6])
    y = tf.placeholder(tf.float32, [None, 1])
    net = tf.layers.dense(x, 16, activation=tf.nn.relu)
    loss = tf.losses.huber_loss(y, tf.layers.dense(net, 1))

    step = tf.train.get_or_create_global_step()
    optimizer = tf.train.MomentumOptimizer(FLAGS.learning_rate, momentum=0.9)
    gradients = optimizer.compute_gradients(loss)
    clipped = [(tf.clip_by_norm(gradient, 5.0), variable) for gradient, variable in gradients]
    train_op = optimizer.apply_gradients(clipped, global_step=step)

    with tf.train.SingularMonitoredSession(hooks=build_hooks(loss)) as sess:
        while not sess.should_stop():
            batch_x, batch_y = draw_batch(x_data, y_data)
            sess.run(train_op, feed_dict={x: batch_x, y: batch_y})


if __name__ == "__main__":
    tf.app.run()
