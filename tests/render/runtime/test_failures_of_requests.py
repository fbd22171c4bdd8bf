"""Requests that turn out to be wrong when a plan is made or run: their node fails, at the line of the request."""

from __future__ import annotations

from renderwright.render.types.resources import Buffer, Texture


def test_an_external_of_a_plugin_without_a_provider(bench) -> None:
    def declare(reg):
        reg.external("asset", Buffer(16)).vertex()
        reg.side_effects()
        return lambda cmd: None

    bench.graph.add_node("glow/user", declare, plugin="glow")
    bench.frames(2)
    (failure,) = bench.failures
    assert failure.plugin == "glow"
    assert 'the external resource "asset" has no provider' in str(failure.error)


def test_a_missing_shader(bench) -> None:
    def declare(reg):
        pipeline = reg.graphics("missing.frag")
        reg.side_effects()
        return lambda cmd: cmd.draw(pipeline)

    bench.graph.add_node("glow/user", declare, plugin="glow")
    bench.frames(2)
    (failure,) = bench.failures
    line = declare.__code__.co_firstlineno + 1
    assert str(failure.error).startswith(f"{__file__}:{line}: shader missing.frag")


def make(reg):
    reg.create("a", Texture("rgba8_unorm", (8, 8))).color(clear=(0.0, 0.0, 0.0, 0.0))
    return lambda cmd: None


def test_a_request_without_a_usage_that_no_shader_uses(bench) -> None:
    def declare(reg):
        reg.read("a")
        reg.side_effects()
        return lambda cmd: None

    bench.graph.add_node("make", make)
    bench.graph.add_node("glow/user", declare, plugin="glow")
    bench.frames(2)
    (failure,) = bench.failures
    line = declare.__code__.co_firstlineno + 1
    assert str(failure.error).startswith(
        f'{__file__}:{line}: node "glow/user" requests "a", a texture, without a usage'
    )


def test_a_node_that_only_orders_others_needs_no_usage(bench) -> None:
    def declare(reg):
        reg.read("a")
        reg.side_effects()

    bench.graph.add_node("make", make)
    bench.graph.add_node("order", declare)
    bench.frames(2)
    assert bench.failures == []
