"""Thinks: text in, `Migration` out; no disk, terminal, git, network or clock."""
