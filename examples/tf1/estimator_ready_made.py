"""Ready-made Estimators: an optimizer by its name, none, and one that decays in a lambda."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.logging.set_verbosity(tf.logging.ERROR)

rng = np.random.RandomState(5)
points = rng.rand(640, 4).astype("float32")
classes = (points[:, 0] > points[:, 1]).astype("int32")


def train_input_fn(features, labels, batch_size):
    """An input function for training"""
    dataset = tf.data.Dataset.from_tensor_slices((dict(features), labels))
    return dataset.shuffle(1000).repeat().batch(batch_size)


def eval_input_fn(features, labels, batch_size):
    dataset = tf.data.Dataset.from_tensor_slices((dict(features), labels))
    return dataset.batch(batch_size)


my_feature_columns = [tf.feature_column.numeric_column(key="p", shape=[4])]

# Build 2 hidden layer DNN with 10, 10 units respectively.
deep = tf.estimator.DNNClassifier(
    feature_columns=my_feature_columns,
    hidden_units=[10, 10],
    n_classes=2,
    optimizer="Adagrad",
)
deep.train(input_fn=lambda: train_input_fn({"p": points}, classes, 20), steps=40)
result = deep.evaluate(input_fn=lambda: eval_input_fn({"p": points}, classes, 20))
print("\nTest set accuracy: {accuracy:0.3f}\n".format(**result))

linear = tf.estimator.LinearRegressor(my_feature_columns)
linear.train(lambda: train_input_fn({"p": points}, points[:, :1], 20), steps=40)

both = tf.estimator.DNNLinearCombinedClassifier(
    linear_feature_columns=my_feature_columns,
    linear_optimizer=tf.train.FtrlOptimizer(0.1),
    dnn_feature_columns=my_feature_columns,
    dnn_hidden_units=[8],
    dnn_optimizer=lambda: tf.train.AdamOptimizer(
        tf.train.exponential_decay(0.01, tf.train.get_global_step(), 1000, 0.96)
    ),
)
both.train(lambda: train_input_fn({"p": points}, classes, 20), steps=40)
