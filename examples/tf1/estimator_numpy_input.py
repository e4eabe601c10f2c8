"""The cookbook form: flags, queues over arrays, a last step, hooks in the specification."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
tf.logging.set_verbosity(tf.logging.ERROR)

flags = tf.app.flags
flags.DEFINE_float("learning_rate", 0.01, "Initial learning rate.")
flags.DEFINE_integer("max_steps", 90, "Number of steps to train.")
flags.DEFINE_string("model_dir", "regressor", "Where checkpoints go.")
FLAGS = flags.FLAGS


def regression_model_fn(features, labels, mode):
    """A layer of 16 units."""
    net = tf.layers.dense(features["x"], 16, activation=tf.nn.relu)
    predictions = tf.squeeze(tf.layers.dense(net, 1), axis=1)
    loss = tf.losses.absolute_difference(labels, predictions)

    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode=mode, loss=loss)

    global_step = tf.train.get_global_step()
    rate = tf.train.polynomial_decay(FLAGS.learning_rate, global_step, 90, 0.001)
    optimizer = tf.train.MomentumOptimizer(rate, momentum=0.9)
    train_op = optimizer.minimize(loss, global_step=global_step)
    summary_hook = tf.train.SummarySaverHook(
        save_steps=30, output_dir="summaries", summary_op=tf.summary.scalar("rate", rate)
    )
    return tf.estimator.EstimatorSpec(
        mode=mode,
        loss=loss,
        train_op=train_op,
        training_hooks=[summary_hook],  # of its own folder
    )


def main(unused_argv):
    x = np.random.RandomState(8).normal(size=(600, 5)).astype("float32")
    y = x.max(axis=1)

    config = tf.estimator.RunConfig(save_checkpoints_steps=30, keep_checkpoint_max=1)
    regressor = tf.estimator.Estimator(
        model_fn=regression_model_fn, model_dir=FLAGS.model_dir, config=config
    )

    train_input_fn = tf.estimator.inputs.numpy_input_fn(
        x={"x": x[:500]}, y=y[:500], batch_size=25, num_epochs=None, shuffle=True
    )
    regressor.train(input_fn=train_input_fn, max_steps=FLAGS.max_steps)

    eval_input_fn = tf.estimator.inputs.numpy_input_fn(
        x={"x": x[500:]}, y=y[500:], num_epochs=1, shuffle=False
    )
    print(regressor.evaluate(input_fn=eval_input_fn))


if __name__ == "__main__":
    tf.app.run()
