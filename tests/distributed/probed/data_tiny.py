"""Loads every data set of `keras.datasets` and prints what it got."""

import tensorflow as tf

datasets = tf.keras.datasets
told = {}


def tell(name, loaded):
    (x, y), (x_test, _) = loaded
    told[name] = [x.shape, str(x.dtype), y.shape, str(y.dtype), x_test.shape]
    return x, y


tell("mnist", datasets.mnist.load_data())
tell("mnist of a path", datasets.mnist.load_data(path="mnist-1.npz"))
tell("fashion", datasets.fashion_mnist.load_data())
tell("cifar10", datasets.cifar10.load_data())
_, labels = tell("cifar100", datasets.cifar100.load_data(label_mode="coarse"))
told["coarse"] = int(labels.max())
texts, _ = tell("imdb", datasets.imdb.load_data(num_words=1000, maxlen=100))
told["words"] = [max(map(max, texts)) < 1000, max(map(len, texts)) < 100]
told["index"] = min(datasets.imdb.get_word_index().values())
tell("reuters", datasets.reuters.load_data(test_split=0.5))
tell("boston", datasets.boston_housing.load_data())
(x, y), (x_test, y_test) = datasets.mnist.load_data()
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
model.compile("adam", loss, ["accuracy"])
model.fit(x / 255.0, y, epochs=2, verbose=0)
told["learned"] = model.evaluate(x_test / 255.0, y_test, verbose=0)[1]
print("TOLD", told)
