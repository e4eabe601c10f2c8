"""An endless pipeline with a one-shot iterator, a decaying rate, summaries and checkpoints."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.ERROR)

STEPS = 120
LOG_DIR = "logs"

images = np.random.RandomState(1).rand(512, 8, 8, 1).astype("float32")
labels = (images.mean(axis=(1, 2, 3)) > 0.5).astype("int64")


def input_pipeline(batch_size):
    dataset = tf.data.Dataset.from_tensor_slices((images, labels))
    dataset = dataset.shuffle(512).repeat()
    dataset = dataset.batch(batch_size).prefetch(1)
    return dataset.make_one_shot_iterator().get_next()


def network(inputs):
    net = tf.layers.conv2d(inputs, 4, 3, activation=tf.nn.relu)
    net = tf.layers.flatten(net)
    return tf.layers.dense(net, 2)


features, targets = input_pipeline(16)
logits = network(features)
loss = tf.losses.sparse_softmax_cross_entropy(targets, logits)
accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), targets), tf.float32))

global_step = tf.train.get_or_create_global_step()
rate = tf.train.exponential_decay(0.01, global_step, 40, 0.9, staircase=True)
optimizer = tf.train.MomentumOptimizer(learning_rate=rate, momentum=0.9)
train_op = optimizer.minimize(loss, global_step=global_step)

tf.summary.scalar("loss", loss)
tf.summary.scalar("accuracy", accuracy)
merged = tf.summary.merge_all()

session_config = tf.ConfigProto(allow_soft_placement=True)  # no GPU for some of it
session_config.gpu_options.allow_growth = True

sess = tf.Session(config=session_config)
writer = tf.summary.FileWriter(LOG_DIR, sess.graph)
saver = tf.train.Saver(max_to_keep=2)
sess.run(tf.global_variables_initializer())

for step in range(STEPS):
    _, summary = sess.run([train_op, merged])
    writer.add_summary(summary, step)
    if step % 20 == 0:
        print("step {}: loss {:.3f}, accuracy {:.2f}".format(step, *sess.run([loss, accuracy])))
        saver.save(sess, LOG_DIR + "/model", global_step=global_step)

writer.close()
sess.close()
