"""The policies of the ``order`` stage. docs/ordering.md describes them."""
