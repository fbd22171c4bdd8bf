"""The command line; one command a file. ``main`` is the entry point of ``framewright``."""

from engine.cli.main import main

__all__ = ["main"]
