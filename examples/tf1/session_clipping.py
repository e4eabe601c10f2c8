"""Clipped gradients, a rate that is fed and decays by hand, and a checkpoint to go on from."""
import os

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

CHECKPOINT = "checkpoints/clipping"

rng = np.random.RandomState(0)
features = rng.normal(size=(640, 5)).astype("float32")
targets = features @ rng.normal(size=(5, 1)).astype("float32")

x = tf.placeholder(tf.float32, [None, 5])
y = tf.placeholder(tf.float32, [None, 1])
rate = tf.placeholder(tf.float32, [])

prediction = tf.layers.dense(tf.layers.dense(x, 8, tf.nn.relu), 1)
loss = tf.reduce_mean((prediction - y) ** 2)

opt = tf.train.RMSPropOptimizer(rate)
gradients, variables = zip(*opt.compute_gradients(loss))
gradients, norm = tf.clip_by_global_norm(gradients, 1.0)
train = opt.apply_gradients(zip(gradients, variables))

saver = tf.train.Saver()
sess = tf.InteractiveSession()
sess.run(tf.global_variables_initializer())
if os.path.exists("checkpoints/checkpoint"):
    saver.restore(sess, tf.train.latest_checkpoint("checkpoints"))

num_batches = len(features) // 32
for epoch in range(3):
    for i in range(num_batches):
        feed = {
            x: features[i * 32:(i + 1) * 32],
            y: targets[i * 32:(i + 1) * 32],
            rate: 0.01 * 0.9 ** epoch,
        }
        train.run(feed_dict=feed)
    if not os.path.isdir("checkpoints"): os.makedirs("checkpoints")
    saver.save(sess, CHECKPOINT, global_step=epoch); print("saved after epoch", epoch)

sess.close()
