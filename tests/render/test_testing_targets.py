"""A node under test that leaves a render target unwritten."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderwright.render.errors import GraphError
from renderwright.render.testing import run_node
from renderwright.render.types.resources import Texture

pytestmark = pytest.mark.vulkan


def two_targets(reg):
    size = reg.resolution("picture")
    reg.create("first", Texture("rgba8_unorm", size)).color()
    reg.create("second", Texture("rgba8_unorm", size)).color()
    pipeline = reg.graphics("first.frag")
    return lambda cmd: cmd.draw(pipeline)


def test_a_target_that_the_shader_does_not_write_is_an_error(tmp_path: Path) -> None:
    text = "#version 450\nlayout(location = 0) out vec4 first;\nvoid main() { first = vec4(1.0); }\n"
    (tmp_path / "first.frag").write_text(text)
    with pytest.raises(GraphError, match=r'renders to "second", but `first.frag` has no output at location 1'):
        run_node(two_targets, {}, ["first"], size=(4, 4), shader_paths=[tmp_path])


def test_an_output_that_the_shader_declares_and_never_assigns_is_an_error(tmp_path: Path) -> None:
    text = "#version 450\nlayout(location = 0) out vec4 first;\nlayout(location = 1) out vec4 second;\n"
    (tmp_path / "first.frag").write_text(f"{text}void main() {{ first = vec4(1.0); }}\n")
    with pytest.raises(GraphError, match="declares the output at location 1 and never assigns it") as caught:
        run_node(two_targets, {}, ["first"], size=(4, 4), shader_paths=[tmp_path])
    assert str(caught.value.where) == f"{tmp_path / 'first.frag'}:3"
