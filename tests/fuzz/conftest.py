"""Lets the tests of the fuzzers find what these share with the tests of compiler, packer and backend."""

import paths  # noqa: F401
