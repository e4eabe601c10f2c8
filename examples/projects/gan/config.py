"""What the two networks and their training share."""

import argparse


def parse_args(argv=None):
    parser = argparse.ArgumentParser(description="A small GAN on rings of points.")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--noise", type=int, default=4)
    parser.add_argument("--lr", type=float, default=1e-3)
    return parser.parse_args(argv)
