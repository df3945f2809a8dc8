"""Runs one Python model as a jet: messages of runners/PROTOCOL.md come in on descriptor 3, answers go out on 4."""

import sys

from pitot_runner import process
from pitot_runner.channel import Channel
from pitot_runner.server import Server


def main() -> None:
    arriving, leaving = process.settle()
    process.open_path_to_the_model(sys.path)
    Server(Channel(arriving, leaving)).serve()


if __name__ == '__main__':
    main()
