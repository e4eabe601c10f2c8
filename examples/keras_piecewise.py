"""Tabs, Windows line endings, and a rate that falls in steps."""
import argparse
import os

import numpy as np
from tensorflow import keras
from tensorflow.keras.optimizers.schedules import PiecewiseConstantDecay


def load(examples):
	"""Noisy planes; the noise has a seed as well."""
	rng = np.random.default_rng(13)
	x = rng.uniform(size=(examples, 3)).astype(np.float32)
	return x, x @ np.array([1, -2, 3], np.float32) + rng.normal(scale=0.01, size=examples)


class Plane(keras.Model):
	def __init__(self):
		super().__init__()
		self.dense = keras.layers.Dense(1)

	def call(self, x):
		return self.dense(x)


def main():
	parser = argparse.ArgumentParser()
	parser.add_argument('--lr', default=0.1, type=float)
	parser.add_argument('--data', default=None, help='an .npz file to read instead')
	options = parser.parse_args()
	if options.data and os.path.exists(options.data):
		x, y = np.load(options.data).values()
	else:
		x, y = load(700)

	rate = PiecewiseConstantDecay([20, 40], [options.lr, options.lr / 2, options.lr / 10])
	model = Plane()
	model.compile(keras.optimizers.Adagrad(learning_rate=rate), loss='mse')
	for _ in range(2):  # two rounds, so fit is called more than once
		model.fit(x, y, epochs=1, batch_size=28, verbose=1)
	print('plane:', model.dense.get_weights())


if __name__ == '__main__':
	main()
