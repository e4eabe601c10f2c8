import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd
from tensorflow import keras

layers = tf.layers
tf.logging.set_verbosity(tf.logging.INFO)


def conv_model(feature, target, mode):
    target = tf.one_hot(tf.cast(target, tf.int32), 10, 1, 0)
    feature = tf.reshape(feature, [-1, 28, 28, 1])
    h = layers.dense(layers.flatten(feature), 1024, activation=tf.nn.relu)
    logits = layers.dense(h, 10, activation=None)
    loss = tf.losses.softmax_cross_entropy(target, logits)
    return tf.argmax(logits, 1), loss


def shuffled(x, y, count):
    while True:
        order = np.random.permutation(len(x))
        for start in range(0, len(x) - count + 1, count):
            chosen = order[start : start + count]
            yield x[chosen], y[chosen]


def main(_):
    hvd.init()
    (x_train, y_train), _ = keras.datasets.mnist.load_data("MNIST-data-%d" % hvd.rank())
    x_train = np.reshape(x_train, (-1, 784)) / 255.0
    with tf.name_scope("input"):
        image = tf.placeholder(tf.float32, [None, 784], name="image")
        label = tf.placeholder(tf.float32, [None], name="label")
    predict, loss = conv_model(image, label, tf.estimator.ModeKeys.TRAIN)
    lr_scaler = hvd.size()
    opt = tf.train.AdamOptimizer(0.001 * lr_scaler)
    opt = hvd.DistributedOptimizer(opt, op=hvd.Average)
    global_step = tf.train.get_or_create_global_step()
    train_op = opt.minimize(loss, global_step=global_step)
    hooks = [
        hvd.BroadcastGlobalVariablesHook(0),
        tf.train.StopAtStepHook(last_step=20000 // hvd.size()),
        tf.train.LoggingTensorHook(tensors={"step": global_step, "loss": loss}, every_n_iter=10),
    ]
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    config.gpu_options.visible_device_list = str(hvd.local_rank())
    checkpoint_dir = "./checkpoints" if hvd.rank() == 0 else None
    batches = shuffled(x_train, y_train, 100)
    with tf.train.MonitoredTrainingSession(
        checkpoint_dir=checkpoint_dir, hooks=hooks, config=config
    ) as mon_sess:
        while not mon_sess.should_stop():
            image_, label_ = next(batches)
            mon_sess.run(train_op, feed_dict={image: image_, label: label_})


if __name__ == "__main__":
    tf.app.run()
