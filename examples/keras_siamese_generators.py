"""Siamese network: are two drawings of the same class? Pairs come from Python generators."""
from __future__ import print_function

import random

import numpy as np
from tensorflow.keras import backend as K
from tensorflow.keras.layers import Dense, Dropout, Flatten, Input, Lambda
from tensorflow.keras.models import Model
from tensorflow.keras.optimizers import RMSprop

num_classes = 4
epochs = 2
batch_size = 32


def euclidean_distance(vects):
    x, y = vects
    sum_square = K.sum(K.square(x - y), axis=1, keepdims=True)
    return K.sqrt(K.maximum(sum_square, K.epsilon()))


def eucl_dist_output_shape(shapes):
    shape1, shape2 = shapes
    return (shape1[0], 1)


def contrastive_loss(y_true, y_pred):
    '''Contrastive loss from Hadsell-et-al.'06
    http://yann.lecun.com/exdb/publis/pdf/hadsell-chopra-lecun-06.pdf
    '''
    margin = 1
    square_pred = K.square(y_pred)
    margin_square = K.square(K.maximum(margin - y_pred, 0))
    return K.mean(y_true * square_pred + (1 - y_true) * margin_square)


def load_drawings(n, seed):
    """Blobs in one of four corners."""
    rng = np.random.RandomState(seed)
    labels = rng.randint(0, num_classes, n)
    images = rng.normal(0.0, 0.2, (n, 12, 12)).astype('float32')
    for image, label in zip(images, labels):
        row, col = divmod(label, 2)
        image[row * 6 + 1:row * 6 + 5, col * 6 + 1:col * 6 + 5] += 1.0
    return images, labels


def pair_generator(x, y, batch_size):
    """Endless batches of pairs, half of them positive."""
    by_class = [np.where(y == i)[0] for i in range(num_classes)]
    while True:
        left, right, same = [], [], []
        for k in range(batch_size):
            c = random.randrange(num_classes)
            if k % 2 == 0:
                d = c
            else:
                d = (c + random.randrange(1, num_classes)) % num_classes
            left.append(x[random.choice(by_class[c])])
            right.append(x[random.choice(by_class[d])])
            same.append(float(c == d))
        yield [np.array(left), np.array(right)], np.array(same, dtype='float32')


def fixed_pairs(x, y, n, seed):
    """The same pairs in every run, to test with."""
    rng = np.random.RandomState(seed)
    i, j = rng.randint(0, len(x), n), rng.randint(0, len(x), n)
    return [x[i], x[j]], (y[i] == y[j]).astype('float32')


def create_base_network(input_shape):
    '''Base network to be shared (eq. to feature extraction).'''
    input = Input(shape=input_shape)
    x = Flatten()(input)
    x = Dense(32, activation='relu')(x)
    x = Dropout(0.1)(x)
    x = Dense(16, activation='relu')(x)
    return Model(input, x)


def compute_accuracy(y_true, y_pred):
    '''Compute classification accuracy with a fixed threshold on distances.'''
    pred = y_pred.ravel() < 0.5
    return np.mean(pred == y_true)


# the data, split between train and test sets
x_train, y_train = load_drawings(320, 0)
x_test, y_test = load_drawings(96, 1)
input_shape = x_train.shape[1:]

# network definition
base_network = create_base_network(input_shape)

input_a = Input(shape=input_shape)
input_b = Input(shape=input_shape)

# because we re-use the same instance `base_network`,
# the weights of the network
# will be shared across the two branches
processed_a = base_network(input_a)
processed_b = base_network(input_b)

distance = Lambda(euclidean_distance,
                  output_shape=eucl_dist_output_shape)([processed_a, processed_b])

model = Model([input_a, input_b], distance)

# train
rms = RMSprop()
model.compile(loss=contrastive_loss, optimizer=rms)
train_gen = pair_generator(x_train, y_train, batch_size)
te_pairs, te_y = fixed_pairs(x_test, y_test, 128, seed=2)
model.fit(train_gen,
          steps_per_epoch=len(x_train) // batch_size,
          epochs=epochs,
          validation_data=(te_pairs, te_y))

# compute final accuracy on the test pairs
y_pred = model.predict(te_pairs)
te_acc = compute_accuracy(te_y, y_pred)
print('* Accuracy on test set: %0.2f%%' % (100 * te_acc))
base_network.save_weights('siamese_base.weights.h5')
