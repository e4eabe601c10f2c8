import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd
from tensorflow import keras


def cnn_model_fn(features, labels, mode):
    hidden = tf.layers.dense(tf.reshape(features["x"], [-1, 784]), 1024, tf.nn.relu)
    logits = tf.layers.dense(hidden, 10)
    predictions = {"classes": tf.argmax(input=logits, axis=1)}
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode=mode, predictions=predictions)
    onehot = tf.one_hot(indices=tf.cast(labels, tf.int32), depth=10)
    loss = tf.losses.softmax_cross_entropy(onehot_labels=onehot, logits=logits)
    if mode == tf.estimator.ModeKeys.TRAIN:
        optimizer = tf.train.MomentumOptimizer(learning_rate=0.001 * hvd.size(), momentum=0.9)
        optimizer = hvd.DistributedOptimizer(optimizer)
        train_op = optimizer.minimize(loss=loss, global_step=tf.train.get_global_step())
        return tf.estimator.EstimatorSpec(mode=mode, loss=loss, train_op=train_op)
    metrics = {"accuracy": tf.metrics.accuracy(labels=labels, predictions=predictions["classes"])}
    return tf.estimator.EstimatorSpec(mode=mode, loss=loss, eval_metric_ops=metrics)


def main(unused_argv):
    hvd.init()
    (x, y), (ex, ey) = keras.datasets.mnist.load_data("MNIST-data-%d" % hvd.rank())
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    config.gpu_options.visible_device_list = str(hvd.local_rank())
    model_dir = "./mnist_convnet_model" if hvd.rank() == 0 else None
    classifier = tf.estimator.Estimator(
        model_fn=cnn_model_fn,
        model_dir=model_dir,
        config=tf.estimator.RunConfig(session_config=config),
    )
    logging_hook = tf.train.LoggingTensorHook(tensors={"p": "softmax_tensor"}, every_n_iter=500)
    bcast_hook = hvd.BroadcastGlobalVariablesHook(0)
    train_fn = tf.estimator.inputs.numpy_input_fn({"x": x}, y, 100, num_epochs=None, shuffle=True)
    classifier.train(
        input_fn=train_fn, steps=20000 // hvd.size(), hooks=[logging_hook, bcast_hook]
    )
    eval_fn = tf.estimator.inputs.numpy_input_fn({"x": ex}, ey, num_epochs=1, shuffle=False)
    print(classifier.evaluate(input_fn=eval_fn))


if __name__ == "__main__":
    tf.app.run()
