# Segment bright cells in microscope images that are too large for one batch:
# cut them into patches, train a small U-Net on the patches, sew the predictions together again.
#
# usage: python keras_segmentation_patches.py --epochs 2 --patch 32

import argparse
import os

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers
from tensorflow.keras.callbacks import CSVLogger, EarlyStopping, ModelCheckpoint
from tensorflow.keras.models import Model

try:
    import matplotlib.pyplot as plt
except ImportError:  # no pictures then
    plt = None

parser = argparse.ArgumentParser(description="U-Net on patches")
parser.add_argument("--epochs", type=int, default=2)
parser.add_argument("--batch_size", type=int, default=8)
parser.add_argument("--patch", type=int, default=32)
parser.add_argument("--stride", type=int, default=32)
parser.add_argument("--lr", type=float, default=1e-3)
parser.add_argument("--out", default="unet_out")
args = parser.parse_args()

os.makedirs(args.out, exist_ok=True)


# ---------------------------------------------------------------- data
def fake_image(rng, size=96):
    """An image with a few bright discs, and the mask of the discs."""
    yy, xx = np.mgrid[:size, :size]
    image = rng.normal(0.2, 0.05, (size, size))
    mask = np.zeros((size, size), dtype=bool)
    for _ in range(rng.randint(4, 9)):
        cy, cx, r = rng.randint(0, size), rng.randint(0, size), rng.randint(5, 12)
        disc = (yy - cy) ** 2 + (xx - cx) ** 2 < r ** 2
        image[disc] += 0.5
        mask |= disc
    return image[..., None].astype(np.float32), mask[..., None].astype(np.float32)


def extract_patches(image, mask, size, stride):
    """All patches of one image, row by row."""
    xs, ys = [], []
    for i in range(0, image.shape[0] - size + 1, stride):
        for j in range(0, image.shape[1] - size + 1, stride):
            xs.append(image[i:i + size, j:j + size])
            ys.append(mask[i:i + size, j:j + size])
    return xs, ys


rng = np.random.RandomState(0)
images, masks = zip(*[fake_image(rng) for _ in range(8)])

X, Y = [], []
for image, mask in zip(images[:6], masks[:6]):
    px, py = extract_patches(image, mask, args.patch, args.stride)
    X += px
    Y += py
X = np.array(X)
Y = np.array(Y)

# the last image is for testing, the one before for validation
X_val, Y_val = map(np.array, extract_patches(images[6], masks[6], args.patch, args.patch))
print("train patches:", X.shape, "validation patches:", X_val.shape)


def augment(x, y):
    """Flip both the same way."""
    both = tf.concat([x, y], axis=-1)
    both = tf.image.random_flip_left_right(both)
    both = tf.image.random_flip_up_down(both)
    return both[..., :1], both[..., 1:]


train_ds = (
    tf.data.Dataset.from_tensor_slices((X, Y))
    .shuffle(len(X), seed=1)
    .map(augment, num_parallel_calls=tf.data.AUTOTUNE)
    .batch(args.batch_size)
    .prefetch(tf.data.AUTOTUNE)
)
val_ds = tf.data.Dataset.from_tensor_slices((X_val, Y_val)).batch(args.batch_size)


# ---------------------------------------------------------------- model
def conv_block(x, filters):
    x = layers.Conv2D(filters, 3, padding="same", kernel_initializer="he_normal")(x)
    x = layers.BatchNormalization()(x)
    return layers.Activation("relu")(x)


def build_unet(size, filters=(8, 16)):
    inputs = layers.Input((size, size, 1))
    skips = []
    x = inputs
    for f in filters:
        x = conv_block(x, f)
        skips.append(x)
        x = layers.MaxPooling2D()(x)
    x = conv_block(x, 32)
    for f, skip in zip(reversed(filters), reversed(skips)):
        x = layers.Conv2DTranspose(f, 2, strides=2, padding="same")(x)
        x = layers.concatenate([x, skip])
        x = conv_block(x, f)
    outputs = layers.Conv2D(1, 1, activation="sigmoid")(x)
    return Model(inputs, outputs, name="unet")


def dice_loss(y_true, y_pred, eps=1.0):
    axes = (1, 2, 3)
    overlap = tf.reduce_sum(y_true * y_pred, axis=axes)
    total = tf.reduce_sum(y_true, axis=axes) + tf.reduce_sum(y_pred, axis=axes)
    return 1.0 - (2.0 * overlap + eps) / (total + eps)


def bce_dice(y_true, y_pred):
    bce = tf.reduce_mean(tf.keras.losses.binary_crossentropy(y_true, y_pred), axis=(1, 2))
    return bce + dice_loss(y_true, y_pred)


model = build_unet(args.patch)
model.summary()
model.compile(optimizer=tf.keras.optimizers.Adam(learning_rate=args.lr), loss=bce_dice, metrics=["accuracy"])

# ---------------------------------------------------------------- training
weights_path = os.path.join(args.out, "best.weights.h5")
callbacks = [
    ModelCheckpoint(weights_path, monitor="val_loss", save_best_only=True, save_weights_only=True),
    EarlyStopping(monitor="val_loss", patience=5),
    CSVLogger(os.path.join(args.out, "log.csv")),
]
history = model.fit(train_ds, validation_data=val_ds, epochs=args.epochs, callbacks=callbacks)

if plt is not None:
    plt.plot(history.history["loss"], label="train")
    plt.plot(history.history["val_loss"], label="val")
    plt.legend()
    plt.savefig(os.path.join(args.out, "loss.png"))

# ---------------------------------------------------------------- testing
model.load_weights(weights_path)


def predict_whole(model, image, size):
    """Predict tile by tile; tiles do not overlap."""
    out = np.zeros_like(image)
    for i in range(0, image.shape[0], size):
        for j in range(0, image.shape[1], size):
            tile = image[None, i:i + size, j:j + size]
            out[i:i + size, j:j + size] = model(tile, training=False)[0]
    return out


pred = predict_whole(model, images[7], args.patch) > 0.5
truth = masks[7] > 0.5
iou = (pred & truth).sum() / max(1, (pred | truth).sum())
print(f"IoU of the test image: {iou:.3f}")
np.save(os.path.join(args.out, "prediction.npy"), pred)
