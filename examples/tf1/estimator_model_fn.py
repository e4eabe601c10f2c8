"""An Estimator with a model function, hooks, a folder, evaluation and predictions."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.logging.set_verbosity(tf.logging.ERROR)

rng = np.random.RandomState(3)
images = rng.rand(768, 6, 6, 1).astype("float32")
labels = (images.mean(axis=(1, 2, 3)) > 0.5).astype("int32")


def train_input_fn(batch_size):
    dataset = tf.data.Dataset.from_tensor_slices((images[:640], labels[:640]))
    dataset = dataset.shuffle(640).repeat().batch(batch_size)
    return dataset


def eval_input_fn():
    dataset = tf.data.Dataset.from_tensor_slices((images[640:], labels[640:]))
    return dataset.batch(32)


def create_train_op(loss, learning_rate):
    optimizer = tf.train.AdamOptimizer(learning_rate)
    return optimizer.minimize(loss, global_step=tf.train.get_global_step())


def model_fn(features, labels, mode, params):
    net = tf.layers.conv2d(features, 4, 3, activation=tf.nn.relu)
    logits = tf.layers.dense(tf.layers.flatten(net), 2)
    classes = tf.argmax(logits, axis=1)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"classes": classes})

    loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
    if mode == tf.estimator.ModeKeys.TRAIN:
        train_op = create_train_op(loss, params["learning_rate"])
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

    metrics = {"accuracy": tf.metrics.accuracy(labels=labels, predictions=classes)}
    return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)


classifier = tf.estimator.Estimator(
    model_fn=model_fn,
    model_dir="model",
    params={"learning_rate": 0.002},
)

logging_hook = tf.train.LoggingTensorHook(["sparse_softmax_cross_entropy_loss/value"], 20)
classifier.train(input_fn=lambda: train_input_fn(16), steps=80, hooks=[logging_hook])

results = classifier.evaluate(input_fn=eval_input_fn)
print("accuracy", results["accuracy"])
for number, prediction in enumerate(classifier.predict(input_fn=eval_input_fn)):
    if number < 3:
        print("image", number, "is", prediction["classes"])
