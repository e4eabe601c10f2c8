"""A small convolutional network under a supervisor, which saves, restores and watches by itself."""
import os

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

flags = tf.app.flags
flags.DEFINE_string("train_dir", os.environ.get("LOG_DIR", "supervised"), "Checkpoints, summaries.")
flags.DEFINE_integer("batch_size", 20, "Examples of a step.")
flags.DEFINE_integer("num_epochs", 3, "Rounds over the data.")
flags.DEFINE_float("learning_rate", 0.05, "Initial learning rate.")
FLAGS = flags.FLAGS


def load_data():
    draw = np.random.RandomState(3)
    labels = draw.randint(4, size=400)
    images = 0.2 * draw.rand(400, 8, 8, 1)
    for image, label in zip(images, labels):
        image[label * 2:label * 2 + 2] += 0.8
    return images.astype("float32"), labels.astype("int64")


def inference(images):
    with tf.variable_scope("conv"):
        net = tf.layers.conv2d(images, 4, 3, activation=tf.nn.relu, padding="same")
        net = tf.layers.max_pooling2d(net, 2, 2)
    with tf.variable_scope("softmax"):
        return tf.layers.dense(tf.layers.flatten(net), 4)


def main(_):
    images, labels = load_data()

    with tf.Graph().as_default():
        image_batch = tf.placeholder(tf.float32, [None, 8, 8, 1], name="images")
        label_batch = tf.placeholder(tf.int64, [None], name="labels")
        logits = inference(image_batch)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=label_batch, logits=logits))
        accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), label_batch), tf.float32))

        global_step = tf.Variable(0, name="global_step", trainable=False)
        optimizer = tf.train.MomentumOptimizer(FLAGS.learning_rate, 0.9)
        train_op = optimizer.minimize(loss, global_step=global_step)

        tf.summary.scalar("loss", loss)
        tf.summary.scalar("accuracy", accuracy)
        summary_op = tf.summary.merge_all()

        # Summaries need what is fed, so that the supervisor can't compute them by itself.
        sv = tf.train.Supervisor(logdir=FLAGS.train_dir,
                                 summary_op=None,
                                 global_step=global_step,
                                 save_model_secs=30)
        with sv.managed_session() as sess:
            # Start, or go on: the supervisor has restored the last checkpoint.
            print("at step", tf.train.global_step(sess, sv.global_step))
            for epoch in range(FLAGS.num_epochs):
                if sv.should_stop():
                    break
                for start in range(0, len(images), FLAGS.batch_size):
                    feed = {image_batch: images[start:start + FLAGS.batch_size],
                            label_batch: labels[start:start + FLAGS.batch_size]}
                    _, value = sess.run([train_op, loss], feed_dict=feed)
                summary = sess.run(summary_op, feed_dict=feed)
                sv.summary_computed(sess, summary)
                print("epoch %d: loss %.4f" % (epoch, value))
            sv.saver.save(sess, sv.save_path, global_step=global_step)
        sv.stop()


if __name__ == "__main__":
    tf.app.run()
