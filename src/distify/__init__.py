"""Rewrites single-device TensorFlow training scripts so that they train on many workers."""

__version__ = "0.1.0"
