"""Two requests of a node with one name in shaders."""

from __future__ import annotations

import pytest

from renderwright.render.types.resources import Texture

pytestmark = pytest.mark.vulkan

SMALL = Texture("rgba32_sfloat", (8, 8))
SHADER = """
layout(set = 0, binding = 0) uniform sampler2D NAME;
layout(location = 0) out vec4 result;
void main() { result = texelFetch(NAME, ivec2(0), 0); }
"""


@pytest.fixture
def failure_of(bench):
    """The failure of a node that draws with the shader above, and writes a resource beside "a" and "b"."""

    def failure(name, request):
        def declare(reg):
            request(reg)
            reg.create("c", SMALL).color()
            reg.side_effects()
            pipeline = reg.graphics("read.frag")
            return lambda cmd: cmd.draw(pipeline)

        def clear(reg):
            for made in ("a", "b"):
                reg.create(made, SMALL).color(clear=(0, 0, 0, 0))
            return lambda cmd: None

        bench.shader("read.frag", SHADER.replace("NAME", name))
        bench.graph.add_node("clear", clear)
        bench.graph.add_node("both", declare)
        bench.frames(2)
        (found,) = bench.failures
        return found.error

    return failure


def test_two_resources_are_told_apart(failure_of) -> None:
    def request(reg):
        reg.read("a").sampled().bind("source")
        reg.read("b").sampled().bind("source")

    error = failure_of("source", request)
    assert 'node "both" binds both "a" and "b" by that name' in error.message
    assert error.hint == "give one of the requests another name with .bind()"
    assert error.where.line == request.__code__.co_firstlineno + 2


@pytest.mark.parametrize("history_first", [True, False])
def test_the_history_is_called_so(failure_of, history_first: bool) -> None:
    def request(reg):
        if history_first:
            reg.history("a").sampled()
        reg.read("a").sampled()
        if not history_first:
            reg.history("a").sampled()

    error = failure_of("a", request)
    both = ('the history of "a"', '"a"') if history_first else ('"a"', 'the history of "a"')
    assert f"binds both {both[0]} and {both[1]} by that name" in error.message
    assert error.hint == 'give the history another name in shaders, such as .bind("then")'
    assert error.where.line == request.__code__.co_firstlineno + (2 if history_first else 5)
