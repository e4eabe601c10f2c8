"""Pull requests without the network: a server that is held against GitHub's own description."""
