"""A handle that is asked for what its resource does not have says what it is, at the line that asks."""

from __future__ import annotations

import sys

import pytest

from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.errors import GraphError, SourceLocation
from renderwright.render.graph.blob_cell import BlobCell
from renderwright.render.graph.handles import BoundResource, ResourceHandle
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.usages import Usage


def handle_of(bound: BoundResource) -> ResourceHandle:
    handle = ResourceHandle("heat", SourceLocation("declared.py", 3))
    handle.bind_physical(bound)
    return handle


def line_above() -> str:
    return f"{__file__}:{sys._getframe(1).f_lineno - 1}"


def test_a_texture_has_no_value() -> None:
    info = TextureInfo("r8_unorm", (4, 4), 1, 1, 1, frozenset({Usage.SAMPLED}))
    handle = handle_of(BoundResource((NullBackend().create_texture(info, "heat"),)))
    with pytest.raises(GraphError) as caught:
        print(handle.value)
    assert str(caught.value.where) == line_above()
    assert caught.value.message == '"heat" is a texture, which has no value: only blobs have one'
    assert ".valid whether a history has a frame" in caught.value.hint


def test_a_blob_has_no_extent() -> None:
    handle = handle_of(BoundResource(cells=(BlobCell(),)))
    with pytest.raises(GraphError) as caught:
        print(handle.extent)
    assert str(caught.value.where) == line_above()
    assert caught.value.message == '"heat" is a blob, which has no GPU resource'
    assert caught.value.hint == "a blob has only .value and .values"


@pytest.mark.parametrize("name", ["value", "extent", "buffer"])
def test_what_is_absent_says_so(name: str) -> None:
    with pytest.raises(GraphError, match='"heat" is absent here') as caught:
        getattr(handle_of(BoundResource()), name)
    assert "check .present first" in caught.value.hint
