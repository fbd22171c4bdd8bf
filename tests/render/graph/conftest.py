from __future__ import annotations

from collections.abc import Iterator

import pytest
from value_graph import ValueGraph, value_graph


@pytest.fixture
def values() -> Iterator[ValueGraph]:
    """A graph of texts with a runtime of its own."""
    with value_graph() as made:
        yield made
