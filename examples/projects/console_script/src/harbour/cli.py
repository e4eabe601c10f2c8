"""The command `harbour-train`."""

import argparse

from .config import Config
from .training import train


def main():
    parser = argparse.ArgumentParser(prog="harbour-train")
    parser.add_argument("--epochs", type=int, default=Config.epochs)
    parser.add_argument("--rate", type=float, default=Config.rate)
    args = parser.parse_args()
    loss = train(Config(epochs=args.epochs, rate=args.rate))
    print(f"loss: {loss:.4f}")
