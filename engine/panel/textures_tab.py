"""A texture of the frame: its channels, mips, layers and instances, in a range of values, magnified."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from slimgui import imgui

from renderwright.engine.dumps.dump import Dump, check_suffix
from renderwright.engine.dumps.files import check_file, write_dump
from renderwright.engine.dumps.reading import Take, TextureReading
from renderwright.engine.dumps.texels import sampled_values_of, values_of
from renderwright.engine.panel.draw_lists import SHOWN
from renderwright.engine.panel.shown_texture import PICTURE_EXTENT, ShownTexture, TextureName, texture_names
from renderwright.engine.panel.tab import Edit
from renderwright.engine.panel.texts import note
from renderwright.engine.session import Session
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.types.physical import TextureInfo

_CHANNELS = ("colour", "red", "green", "blue", "alpha")
_WHEEL = 1.25


class TexturesTab:
    """One texture at a time. Its nodes are in the graph while it is looked at (``look`` and ``leave``)."""

    name = "textures"

    def __init__(self) -> None:
        self._shown = ShownTexture()
        self._reading = TextureReading()
        self._told = ""
        self._file = ""
        self._names: dict[str, TextureName] = {}
        self._plan: Plan | None = None

    def draw(self, session: Session) -> Iterator[Edit]:
        """See ``Tab``."""
        self._reading.follow(session)
        plan = session.runtime.plan
        if plan is not self._plan:
            self._plan, self._names = plan, texture_names(plan)
        yield from self._choose(session)
        found = self._names.get(self._shown.name)
        if found is None:
            note("choose a texture; it lives to the end of the frame while it is shown")
            return
        yield from self._widgets(session, found)
        yield from self._picture(session, found)
        yield from self._save(session, found)
        if self._told:
            imgui.text_wrapped(self._told)

    def leave(self, session: Session) -> None:
        """Show nothing any more."""
        self._told = ""
        self._reading.give_up(session)
        self._shown.leave(session.graph)

    def _choose(self, session: Session) -> Iterator[Edit]:
        names = list(self._names)
        current = names.index(self._shown.name) if self._shown.name in self._names else -1
        changed, number = imgui.combo("texture", current, names, 20)
        if changed and number >= 0:
            yield partial(self._look, session, self._names[names[number]])
        if self._shown.name:
            imgui.same_line()
            if imgui.button("none"):
                yield partial(self.leave, session)

    def _look(self, session: Session, texture: TextureName) -> None:
        shown = self._shown
        shown.mip, shown.layer, shown.index = 0, 0, {}
        self._told, self._file = "", f"out/{texture.name.rpartition('/')[2]}.exr"
        shown.channel = 0 if texture.format.startswith(("r8", "r16", "r32", "d")) else -1
        shown.join(session.graph, texture)

    def _widgets(self, session: Session, texture: TextureName) -> Iterator[Edit]:
        shown = self._shown
        note(f"{texture.format}, {_counted(texture.mips, 'mip')}, {_counted(texture.layers, 'layer')}")
        shown.channel = imgui.combo("channel", shown.channel + 1, list(_CHANNELS))[1] - 1
        speed = max(abs(shown.highest - shown.lowest), 1e-4) / 200.0
        shown.lowest = imgui.drag_float("black at", shown.lowest, speed, format="%.4g")[1]
        shown.highest = imgui.drag_float("white at", shown.highest, speed, format="%.4g")[1]
        imgui.same_line()
        if imgui.small_button("fit"):
            yield partial(self._read, session, texture, self._fit)
        imgui.set_item_tooltip("black and white at the least and the greatest value")
        if texture.mips > 1:
            shown.mip = imgui.slider_int("mip", shown.mip, 0, texture.mips - 1)[1]
        if texture.layers > 1:
            shown.layer = imgui.slider_int("layer", shown.layer, 0, texture.layers - 1)[1]
        counts = dict(session.graph.base.counts)
        for dimension in texture.dimensions:
            count = counts.get(dimension, 1)
            if count > 1:
                number = min(shown.index.get(dimension, 0), count - 1)
                shown.index[dimension] = imgui.slider_int(dimension, number, 0, count - 1)[1]

    def _picture(self, session: Session, texture: TextureName) -> Iterator[Edit]:
        width = min(float(PICTURE_EXTENT[0]), imgui.get_content_region_avail()[0])
        height = width * PICTURE_EXTENT[1] / PICTURE_EXTENT[0]
        left, top = imgui.get_cursor_screen_pos()
        imgui.image(SHOWN, (width, height))
        imgui.set_item_key_owner(imgui.Key.KEY_MOUSE_WHEEL_Y)  # the tab does not scroll
        shown = self._shown
        if imgui.is_item_hovered():
            x, y = imgui.get_mouse_pos()
            (corner_x, corner_y), (size, _) = shown.part()
            place = corner_x + (x - left) / width * size, corner_y + (y - top) / height * size
            wheel = imgui.get_io().mouse_wheel
            if wheel:
                shown.magnify(_WHEEL**wheel, place)
            if imgui.is_mouse_clicked(imgui.MouseButton.LEFT):
                yield partial(self._read, session, texture, partial(self._tell_texel, place))
        note(f"{shown.zoom:.1f}x; the wheel magnifies, a click reads; magenta is not finite")

    def _save(self, session: Session, texture: TextureName) -> Iterator[Edit]:
        self._file = imgui.input_text("file", self._file)[1]
        imgui.same_line()
        if imgui.button("save"):
            dump = self._dump(texture, Path(self._file))
            yield partial(self._keep, session, dump)

    def _read(self, session: Session, texture: TextureName, take: Take) -> None:
        self._reading.ask(session, self._dump(texture, Path("texel.npy")), take)

    def _dump(self, texture: TextureName, file: Path) -> Dump:
        shown = self._shown
        layer = shown.layer if texture.layers > 1 else None
        return Dump(texture.name, file, index=tuple(shown.index.items()), mip=shown.mip, layer=layer)

    def _fit(self, texels: NDArray[np.generic], info: TextureInfo) -> None:
        values = sampled_values_of(info.format, texels)  # the panel shows what shaders see
        seen = values[..., self._shown.channel :][..., :1] if self._shown.channel >= 0 else values[..., :3]
        finite = seen[np.isfinite(seen)]
        if len(finite):
            self._shown.lowest, self._shown.highest = float(finite.min()), float(finite.max())

    def _tell_texel(self, place: tuple[float, float], texels: NDArray[np.generic], info: TextureInfo) -> None:
        height, width = texels.shape[:2]
        x, y = (min(size - 1, max(0, int(at * size))) for at, size in zip(place, (width, height), strict=True))
        values = values_of(info.format, texels[y : y + 1, x : x + 1])[0, 0]
        self._told = f"texel {x}, {y} of {width}x{height}: {', '.join(f'{value:g}' for value in values)}"

    def _keep(self, session: Session, dump: Dump) -> None:
        check_suffix(dump.file)
        check_file(dump)

        def write(texels: NDArray[np.generic], info: TextureInfo) -> None:
            self._told = f"{write_dump(dump, texels, info)} in {dump.file}"

        self._reading.ask(session, dump, write)


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'s' if number > 1 else ''}"
