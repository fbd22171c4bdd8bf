"""Puts this folder, with the builders of models, on the path of the tests below it."""
