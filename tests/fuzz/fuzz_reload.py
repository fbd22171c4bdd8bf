"""Cases of hot reload: a plugin's files are edited at random, well and badly, while a game runs under validation.

After a bad edit the picture stays as it was, after the old texts it is what it was at first, and nothing is leaked.
"""

from __future__ import annotations

import gc
import random
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

from edited_plugins import MODULE, NAME, PYTHON, SHADER, TINT, EditedGame, PluginFiles, installed
from hand_driven import HandDriven

from renderwright.engine.plugins import PluginState
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.pipelines import VulkanPipeline
from renderwright.render.runtime.pipelines import KEPT

EDITS = 100
"""Edits of a case."""

WARM = 40
"""Edits, at first one of each kind, after which no more objects may live on the device than at some time before."""

IN_USE = 16
"""The most pipelines of a frame."""

MOST_IMPORTS = 3
"""The most imports of the plugin in memory: the one in use, and those that the last plans still name."""

MOST_FRAMES = 20
"""The most frames until a change is in use or refused."""

Texts = dict[str, str]
"""The texts of the plugin: ``python``, ``shader`` and ``tint``."""

ORIGINAL: Texts = {"python": PYTHON, "shader": SHADER, "tint": TINT}


@dataclass(frozen=True)
class Change:
    """One edit: other texts of some files. ``good`` says whether the plugin works with all texts after it."""

    kind: str
    texts: Texts
    good: bool


def _number(rng: random.Random) -> str:
    return f"{rng.randrange(1, 100) / 100:.2f}"


def _good_shader(rng: random.Random) -> Change:
    return Change("good shader", {"shader": SHADER.replace("tint() *", f"tint() * {_number(rng)} *")}, True)


def _good_include(rng: random.Random) -> Change:
    return Change("good include", {"tint": TINT.replace("0.25", _number(rng))}, True)


def _good_python(rng: random.Random) -> Change:
    return Change("good python", {"python": PYTHON.replace("Field(0.25", f"Field({_number(rng)}")}, True)


def _new_setting(rng: random.Random) -> Change:
    python = PYTHON.replace(
        "\n\ndef lighten", f"    offset: float = Field({_number(rng)}, ge=0.0, le=1.0)\n\n\ndef lighten", 1
    )
    shader = SHADER.replace("float strength;", "float strength;\n    float offset;")
    return Change("new setting", {"python": python, "shader": shader.replace("uv.x", "(uv.x + settings.offset)")}, True)


def _renamed_on_both_sides(rng: random.Random) -> Change:
    name = f"knobs{rng.randrange(10)}"
    python = PYTHON.replace('"settings", settings', f'"{name}", settings')
    return Change("renamed", {"python": python, "shader": SHADER.replace("settings", name)}, True)


def _second_node(rng: random.Random) -> Change:
    line = '    graph.add_node("lighten", lambda reg: lighten(reg, settings))\n'
    return Change("second node", {"python": PYTHON.replace(line, line + line.replace('"lighten"', '"again"'))}, True)


def _renamed_in_the_shader(rng: random.Random) -> Change:
    return Change("renamed binding", {"shader": SHADER.replace("source", "before")}, False)


def _broken_shader(rng: random.Random) -> Change:
    at = rng.randrange(SHADER.index("void main"), len(SHADER) - 4)
    return Change("broken shader", {"shader": f"{SHADER[:at]}@{SHADER[at:]}"}, False)


def _cut_shader(rng: random.Random) -> Change:
    return Change("cut shader", {"shader": SHADER[: rng.randrange(SHADER.rindex("}"))]}, False)


def _broken_include(rng: random.Random) -> Change:
    return Change("broken include", {"tint": TINT.replace("return", "retrun")}, False)


def _broken_python(rng: random.Random) -> Change:
    old, new = rng.choice(
        [
            ("def lighten(", "deff lighten("),
            ("import BaseModel", "import BaseModels"),
            ("reg.stable()", "reg.stabel()"),
            ("cmd.draw(pipeline)", "cmd.draw(missing)"),
            ("cmd.draw(pipeline)", "1 / 0"),
            ("graph.add_node(", "graph.add_nodes("),
            ("edited.frag", "missing.frag"),
            ('"post_hdr"', '"post_hrd"'),
            ('"settings", settings', '"knobs", settings'),
            ("return Settings", "return 7"),
            ("Field(0.25, ge=0.0, le=1.0)", "Field(ge=0.0)"),
            ('PluginInfo("edited"', 'PluginInfo("other"'),
            ("lambda cmd: cmd.draw(pipeline)", "7"),
        ]
    )
    return Change("broken python", {"python": PYTHON.replace(old, new)}, False)


def _restored(rng: random.Random) -> Change:
    return Change("restored", ORIGINAL, True)


CHANGES: tuple[Callable[[random.Random], Change], ...] = (
    _good_shader,
    _good_include,
    _good_python,
    _new_setting,
    _renamed_on_both_sides,
    _second_node,
    _renamed_in_the_shader,
    _broken_shader,
    _cut_shader,
    _broken_include,
    _broken_python,
    _broken_python,
    _restored,
    _restored,
)


@dataclass
class Walk:
    """A game whose plugin is edited. ``objects`` are the numbers of live objects on the device after each edit, without
    pipelines, of which some are kept for a while. With a ``worker`` plans are made beside the frames, one a frame."""

    game: EditedGame
    files: PluginFiles
    backend: VulkanBackend
    rng: random.Random
    worker: HandDriven | None = None
    last: str = ""
    objects: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.untried = self.rng.sample(CHANGES, len(CHANGES))
        self.texts = dict(ORIGINAL)
        self.first = self.seen = self._settled()[-1]

    def _frame(self) -> bytes:
        picture = self.game.frame()
        if self.worker is not None:
            self.worker.wait()
        return picture

    def _settled(self) -> list[bytes]:
        """The pictures of the next frames; the changes so far are in use or refused before the last ones."""
        pictures = [self._frame()]
        while self.game.session.trial.active or self.game.session.runtime.behind:
            assert len(pictures) < MOST_FRAMES, "the trial does not end"
            pictures.append(self._frame())
        return [*pictures, *(self._frame() for _ in range(2))]

    def edit(self) -> None:
        """Make one change, beginning at the original texts of the files that it does not name."""
        kind = self.untried.pop() if self.untried else self.rng.choice(CHANGES)
        change = kind(self.rng)
        self.last = change.kind
        texts = {**ORIGINAL, **change.texts}
        paths = {"python": self.files.python, "shader": self.files.shader, "tint": self.files.tint}
        for name in self.rng.sample(sorted(paths), len(paths)):
            if texts[name] != self.texts[name]:
                self.game.edit(paths[name], texts[name])
                if self.rng.random() < 0.2:
                    self.seen = self._settled()[-1]  # one file is taken in before the next is saved
        self.texts = texts
        self._look(change)

    def _look(self, change: Change) -> None:
        pictures, game = self._settled(), self.game
        assert pictures[-1] == pictures[-2], f"{change.kind}: the picture has not settled"
        assert game.session.plugins.status(NAME).state is PluginState.ENABLED, change.kind
        assert bool(game.notice) is not change.good, f"{change.kind}: {game.notice!r}"
        if not change.good:
            assert pictures == [self.seen] * len(pictures), f"{change.kind}: the last good picture is lost"
        if self.texts == ORIGINAL:
            assert pictures[-1] == self.first, f"{change.kind}: the first picture is another one"
        self.seen = pictures[-1]
        live = list(self.backend._objects)
        pipelines = [one for one in live if isinstance(one, VulkanPipeline)]
        assert len(pipelines) <= KEPT + IN_USE
        self.objects.append(len(live) - len(pipelines))


def imports() -> int:
    """The number of imports of the plugin that are in memory."""
    gc.collect()
    return sum(isinstance(one, ModuleType) and one.__name__ == MODULE for one in gc.get_objects())


def reload_case(seed: int, edits: int = EDITS) -> str:
    """Random edits. Ends with the kind of the last one."""
    rng = random.Random(seed)
    worker = HandDriven() if rng.random() < 0.5 else None
    device = VulkanBackend(validate=True)
    with tempfile.TemporaryDirectory() as folder, installed(Path(folder)) as files, closing(device):
        game = EditedGame(device, worker=worker)
        try:
            walk = Walk(game, files, device, rng, worker)
            for _ in range(edits):
                walk.edit()
            assert imports() <= MOST_IMPORTS
        finally:
            game.close()
    assert [message.text for message in device.validation_messages] == []
    if edits > WARM:
        assert max(walk.objects[WARM:]) <= max(walk.objects[:WARM]), walk.objects
    return walk.last
