"""Cases of mistakes: a plugin gives the verbs of its nodes arguments that nobody expects."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from fuzz_recording import findings
from playing import SHADERS
from pyglm import glm

from renderwright.engine.clock import HEADLESS_FRAME, FixedStepClock
from renderwright.engine.game import Game
from renderwright.engine.plugins import FoundPlugin, PluginGraph, PluginState, discovery, hookimpl, host
from renderwright.engine.session import Session
from renderwright.render.backend.null import NullBackend
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import RenderwrightError
from renderwright.render.graph.pipeline_requests import VertexLayout
from renderwright.render.graph.revision import Revision
from renderwright.render.types.parts import Part
from renderwright.render.types.resources import Buffer, Resolution, Texture

NAME = "mistaken"
EXTENT = (48, 27)
MISTAKES = 20
"""Of a case."""
GLSL = Path(__file__).parents[1] / "engine" / "hostile" / "glsl"
RED, MESH, FILL = (str(GLSL / name) for name in ("red.frag", "mesh.vert", "fill.comp"))
TEXTURE = Texture("rgba16_sfloat", (8, 8))
LAYOUT = VertexLayout(((0, "rgb32_sfloat", 0),), 12)

WRONG: tuple[Any, ...] = (
    *(None, True, -1, 0, 1.5, -0.0, math.nan, math.inf, 1 + 2j, 2**32, 2**64, -(2**63), 10**30),
    *("", "x", "a/b", "/", "ü", "a\nb", "\0", "x" * 5000, "hdr", "/hdr", "rgba16_sfloat", b"x"),
    *([], (), {}, {"a": 1}, {"a"}, (1, 2, 3), ("a", "b"), [[1]], range(3), object(), int, lambda *_, **__: 0),
    *(np.int64(3), np.float32(2.5), np.zeros(3), np.full((2, 2), math.nan), glm.vec3(1), glm.mat4(1)),
    *(TEXTURE, Buffer(16), Resolution("nowhere"), Resolution("main_view"), LAYOUT, Texture, Revision()),
)


@dataclass(frozen=True)
class Call:
    """A call of a verb."""

    verb: str
    arguments: tuple[Any, ...] = ()
    named: dict[str, Any] = field(default_factory=dict)

    def on(self, thing: Any) -> Any:
        """Call it, and return what it returns."""
        return getattr(thing, self.verb)(*self.arguments, **self.named)

    def mistaken(self, rng: random.Random) -> Call:
        """The call with an argument that is wrong, too many or missing."""
        arguments, named = list(self.arguments), dict(self.named)
        places = [*range(len(arguments)), *named]
        how = rng.random()
        if not places or how < 0.1:
            arguments.append(rng.choice(WRONG))
        elif how < 0.15:
            arguments = arguments[:-1]
        else:
            place = rng.choice(places)
            if isinstance(place, int):
                arguments[place] = rng.choice(WRONG)
            else:
                named[place] = rng.choice(WRONG)
        return Call(self.verb, tuple(arguments), named)


def _call(verb: str, *arguments: Any, **named: Any) -> Call:
    return Call(verb, arguments, named)


REQUESTS = (
    *(_call("create", "made", TEXTURE), _call("create", "made", Buffer(64)), _call("create", "made", int)),
    *(_call("external", "given", Buffer(16)), _call("read", "/hdr"), _call("read", "/depth"), _call("modify", "/hdr")),
    *(_call("history", "/hdr", frames=1), _call("gather", "/camera"), _call("rename", "/hdr", "other")),
    _call("chain_source", "post_hdr", "taa/resolve"),
)
"""Verbs that return a request."""

USES = (
    *(_call("color", clear=(0.0, 0.0, 0.0, 1.0)), _call("depth", clear=0.0), _call("depth_read"), _call("shown")),
    *(_call("sampled", filter="nearest", address="repeat", stage="compute"), _call("storage", stage="compute")),
    *(_call("storage_read", stage="compute"), _call("storage_write", stage="compute"), _call("uniform", "compute")),
    *(_call("vertex"), _call("index"), _call("indirect"), _call("copy_src"), _call("copy_dst")),
    *(_call("mip", 0), _call("mips", 0, 1), _call("layer", 0), _call("layers", 0, 1)),
    *(_call("optional"), _call("bind", "picture"), _call("first", "keep")),
)
"""Verbs of a request, which return it."""

FACTS = (
    _call("chain", "post_hdr", format="rgba16_sfloat", size=Resolution("main_view"), priority=3),
    _call("chain", "post_hdr", before="bloom/composite", after=("taa/resolve",)),
    *(_call("uniform", "Params", {"a": 1.0}), _call("before", "tonemap/tonemap"), _call("after", "sky/draw")),
    *(_call("replaces", "sky/draw"), _call("multiplex", "view"), _call("multiview", "eye"), _call("side_effects")),
    *(_call("priority", 3), _call("queue", "compute"), _call("cost", 2.0), _call("state", depth_test="greater")),
    *(_call("stable", Revision()), _call("every", 2, phase=0), _call("when", "/camera"), _call("fact", "views")),
    *(_call("resolution", "main_view", 0.5), _call("graphics", RED, vertex="fullscreen.vert", blend="add")),
    *(_call("graphics", RED, MESH, vertex_layout=LAYOUT, defines={"A": 1}), _call("compute", FILL)),
    _call("fullscreen", RED, defines={"A": 2}),
)
"""Verbs of a node that return something else."""


class Mistaken:
    """A plugin whose nodes make the mistakes of one seed after another.

    ``calls`` are those of the last time that it declared or executed.
    """

    def __init__(self) -> None:
        self.seed = 0
        self.calls: list[Call] = []

    @hookimpl
    def renderwright_nodes(self, graph: PluginGraph) -> None:
        """One node that fills buffers, and one that makes mistakes."""
        self.calls.clear()
        graph.add_node("buffers", self._declare_buffers)
        graph.add_node("node", (self._declare_wrongly, self._declare_draws, self._declare_copies)[self.seed % 3])

    def _declare_buffers(self, reg: Any) -> Callable[[Any], None]:
        names = ("own_vertices", "own_indices", "own_draws")
        handles = [reg.create(name, Buffer(64)).copy_dst() for name in names]

        def execute(cmd: Any) -> None:
            for handle in handles:
                cmd.recorder.fill_buffer(handle.buffer)

        return execute

    def _declare_wrongly(self, reg: Any) -> Any:
        rng = random.Random(self.seed)
        reg.side_effects()
        if rng.random() < 0.4:
            self._do(rng.choice(FACTS).mistaken(rng), reg)
        else:
            wrong = rng.random() < 0.5
            request = rng.choice(REQUESTS)
            made = self._do(request.mistaken(rng) if wrong else request, reg)
            use = rng.choice(USES)
            self._do(use if wrong else use.mistaken(rng), made)
        if rng.random() < 0.95:
            return lambda cmd: None
        self.calls.append(_call("return", rng.choice(WRONG)))
        return self.calls[-1].arguments[0]

    def _declare_draws(self, reg: Any) -> Callable[[Any], None]:
        reg.side_effects()
        reg.create("target", Texture("rgba8_unorm", (8, 8))).color()
        requests = (
            reg.read("own_vertices").vertex(),
            reg.read("own_indices").index(),
            reg.read("own_draws").indirect(),
        )
        plain, mesh = reg.graphics(RED), reg.graphics(RED, MESH, vertex_layout=LAYOUT)

        def execute(cmd: Any) -> None:
            vertices, indices, draws = (request.buffer for request in requests)
            commands = [
                *(_call("bind", mesh), _call("vertices", vertices, 0), _call("indices", indices, 0)),
                *(_call("draw_indexed", 3, 1, 0, 0, 0), _call("draw_indexed_indirect", draws, 1, offset=0)),
                *(_call("viewport", 0, 0, 8, 8), _call("draw", plain, 3, 1), _call("resolution", "main_view")),
                *(_call("draw_indexed_indirect_count", draws, indices, 1, 0, 0), _call("dispatch", plain, (8, 8, 1))),
                *(_call("push", plain, a=1.0), _call("bind_set", plain, 1, None), _call("pipeline", plain)),
            ]
            raw = [
                *(_call("bind_pipeline", cmd.pipeline(mesh)), _call("bind_vertices", vertices, 0)),
                *(_call("bind_indices", indices, 0), _call("draw_indexed", 3, 1, 0, 0, 0), _call("draw", 3, 1, 0, 0)),
                *(_call("draw_indexed_indirect", draws, 1, 0), _call("viewport", 0, 0, 8, 8), _call("dispatch", 1, 1)),
                *(_call("scissor", 0, 0, 8, 8), _call("push", cmd.pipeline(plain), b"1234"), _call("end_pass")),
                _call("bind_set", cmd.pipeline(plain), 1, None),
            ]
            self._do_one_wrongly(
                [(command, cmd) for command in commands] + [(command, cmd.recorder) for command in raw]
            )

        return execute

    def _declare_copies(self, reg: Any) -> Callable[[Any], None]:
        reg.side_effects()
        requests = (
            *(reg.read("own_indices").copy_src(), reg.create("bytes", Buffer(1024)).copy_dst()),
            *(reg.create("made", TEXTURE).copy_dst(), reg.read("/hdr").copy_src()),
        )

        def execute(cmd: Any) -> None:
            source, target = requests[0].buffer, requests[1].buffer
            texture, layout = requests[2].texture, requests[2].layout
            hdr, of_hdr = requests[3].texture, requests[3].layout
            commands = [
                *(_call("fill_buffer", target, 1, 4, 8), _call("copy_buffer", source, target, 32)),
                _call("clear_texture", texture, layout, (0.0, 0.5, 0.0, 1.0), part=Part((0, 1), (0, 1))),
                _call("copy_texture", hdr, texture, parts=[Part()], layouts=(of_hdr, layout)),
                _call("copy_texels", hdr, of_hdr, 0, 0, target),
            ]
            self._do_one_wrongly([(command, cmd.recorder) for command in commands])

        return execute

    def _do_one_wrongly(self, commands: Sequence[tuple[Call, Any]]) -> None:
        """Give one command of them, perhaps behind the others, and another argument."""
        rng = random.Random(self.seed)
        wrong = rng.randrange(len(commands))
        for command, thing in commands[:wrong] if rng.random() < 0.5 else ():
            with suppress(RenderwrightError):
                command.on(thing)
        command, thing = commands[wrong]
        self._do(command.mistaken(rng), thing)

    def _do(self, call: Call, thing: Any) -> Any:
        self.calls.append(call)
        return call.on(thing)


class Bare(Game):
    """An empty scene."""

    plugins = ("tonemap",)


def mistakes_case(seed: int, mistakes: int = MISTAKES) -> str:
    """Switch the plugin on with one mistake after another, with the null backend and Vulkan by turns.

    The game goes on, and no other plugin leaves it. A plugin that leaves is told why, at its own line. One that stays
    draws without a word of the validation. Ends with where the last mistake was noticed.
    """
    backend: Backend = VulkanBackend(validate=True) if seed % 2 else NullBackend()
    plugin, clock = Mistaken(), FixedStepClock(Bare.step, frame=HEADLESS_FRAME)
    installed = (*discovery.find_plugins(), FoundPlugin(NAME, lambda: plugin))
    with (
        closing(backend),
        mock.patch.object(host, "find_plugins", return_value=installed),
        closing(Session(Bare, backend, EXTENT, clock=clock, shaders=SHADERS)) as session,
        closing(backend.create_target(EXTENT)) as target,
    ):
        for number in range(mistakes):
            plugin.seed = seed * mistakes + number
            with findings("renderwright") as said:
                session.plugins.enable(NAME)
                for _ in range(2):
                    assert session.render(target) is not None
            ending = _judged(session, plugin.calls, said)
            session.plugins.disable(NAME)
            session.render(target)
    return ending


def _judged(session: Session, calls: Sequence[Call], said: Sequence[str]) -> str:
    assert session.plugins.status("tonemap").state is PluginState.ENABLED
    status = session.plugins.status(NAME)
    if status.state is PluginState.ENABLED:
        assert [text for text in said if "VUID" in text] == [], calls
        return "goes on"
    assert len(status.reason) < 2000 + 2 * max(len(repr(call)) for call in calls or [""]), calls
    # A class that is given as a function has no line here.
    classes = any(isinstance(wrong, type) for call in calls for wrong in call.arguments)
    assert __file__ in status.reason or classes, (status.reason, calls)
    return "leaves in execute" if "fails in execute" in status.reason else "leaves in declare"
