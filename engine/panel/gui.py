"""Dear ImGui behind a few methods: the only module that knows the binding's context, events and draw lists."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from slimgui import imgui

from renderwright.engine.panel.draw_lists import FONT, NOTHING, VERTEX_BYTES, DrawCommand, DrawLists
from renderwright.render.types.resources import Extent

_LEAST_STEP = 1e-5
"""Seconds of a frame, at least; Dear ImGui asserts that time goes on."""


class Gui:
    """A context of Dear ImGui. Between ``begin`` and ``finish``, functions of ``slimgui.imgui`` add widgets.

    ``font`` are the texels of the texture ``FONT``, uint8 (height, width, 4); another array when glyphs were added.
    """

    def __init__(self) -> None:
        self._context = imgui.create_context()
        imgui.set_current_context(self._context)
        self._io: Any = imgui.get_io()
        self._io.ini_filename = None  # no file with the places of windows
        self._io.log_filename = None
        self._io.config_windows_move_from_title_bar_only = True  # a drag that misses its slider moves nothing
        self._io.backend_flags |= imgui.BackendFlags.RENDERER_HAS_TEXTURES | imgui.BackendFlags.RENDERER_HAS_VTX_OFFSET
        imgui.style_colors_dark()
        self._finished = False
        self._popup_is_open = False
        self.font: NDArray[np.uint8] = np.full((1, 1, 4), 255, np.uint8)

    def begin(self, extent: Extent, seconds: float) -> None:
        """Begin a frame of that many seconds in a window of that size."""
        imgui.set_current_context(self._context)
        self._io.display_size = (float(extent[0]), float(extent[1]))
        self._io.delta_time = max(_LEAST_STEP, seconds)
        imgui.new_frame()  # type: ignore[no-untyped-call]

    def finish(self) -> DrawLists:
        """End the frame; returns what it draws."""
        self._popup_is_open = imgui.is_popup_open("", imgui.PopupFlags.ANY_POPUP)
        imgui.render()
        self._finished = True
        data = imgui.get_draw_data()
        for texture in data.textures or ():
            self._follow(texture)
        lists = list(data.commands_lists)
        if not lists:
            return NOTHING
        vertices = [_array(each.vtx_buffer_data, each.vtx_buffer_size * VERTEX_BYTES, np.uint8) for each in lists]
        narrow = np.uint16 if imgui.INDEX_SIZE == 2 else np.uint32
        indices = [_array(each.idx_buffer_data, each.idx_buffer_size, narrow) for each in lists]
        return DrawLists(
            np.concatenate(vertices).reshape(-1, VERTEX_BYTES),
            np.concatenate(indices).astype(np.uint32),
            tuple(_commands(lists)),
        )

    def close(self) -> None:
        """Destroy the context. Nothing else may be called after that."""
        imgui.set_current_context(self._context)
        if self._finished:
            for texture in imgui.get_draw_data().textures or ():
                texture.set_tex_id(0)
                texture.set_status(imgui.TextureStatus.DESTROYED)
        imgui.destroy_context(self._context)

    def _follow(self, texture: Any) -> None:
        """Do what Dear ImGui asks for its texture; there is one."""
        status = imgui.TextureStatus
        if texture.status in (status.WANT_CREATE, status.WANT_UPDATES):
            self.font = np.array(texture.get_pixels(), np.uint8).reshape(texture.height, texture.width, 4)
            texture.set_tex_id(FONT)
            texture.set_status(status.OK)
        elif texture.status == status.WANT_DESTROY and texture.unused_frames > 0:
            texture.set_tex_id(0)
            texture.set_status(status.DESTROYED)

    # events ---------------------------------------------------------------------------------------------------------

    @property
    def takes_mouse(self) -> bool:
        """Whether the mouse is over the user interface or holds something of it."""
        return bool(self._io.want_capture_mouse)

    @property
    def takes_keys(self) -> bool:
        """Whether a text is being typed."""
        return bool(self._io.want_text_input)

    @property
    def takes_escape(self) -> bool:
        """Whether Escape ends something: the typing of a text, or a popup such as a list of choices."""
        return self.takes_keys or self._popup_is_open

    def close_popups(self) -> None:
        """Close what popped up, as a click on nothing does. Dear ImGui has a key for it with its navigation only."""
        if self._popup_is_open:
            x, y = self._io.mouse_pos
            self.move_mouse(-1.0, -1.0)
            self.press_mouse(0, down=True)
            self.press_mouse(0, down=False)
            self.move_mouse(x, y)

    def move_mouse(self, x: float, y: float) -> None:
        """The mouse is there, in pixels from the top left corner."""
        self._io.add_mouse_pos_event(x, y)

    def press_mouse(self, button: int, *, down: bool) -> None:
        """A button of the mouse went down or up: 0 is the left one, 1 the right one, 2 the middle one."""
        self._io.add_mouse_button_event(button, down)

    def scroll(self, x: float, y: float) -> None:
        """The wheel turned, upwards and to the right if positive."""
        self._io.add_mouse_wheel_event(x, y)

    def press_key(self, name: str, *, down: bool) -> None:
        """A key went down or up, by its name in ``imgui.Key``."""
        self._io.add_key_event(imgui.Key[name], down)

    def type(self, text: str) -> None:
        """Text was typed."""
        self._io.add_input_characters_utf8(text)

    def lose_focus(self) -> None:
        """Let all keys and buttons go."""
        self._io.add_focus_event(False)

    @property
    def clipboard(self) -> str:
        """What was copied last, or what will be pasted. ``PanelEvents`` exchanges it with the window system."""
        imgui.set_current_context(self._context)
        return imgui.get_clipboard_text() or ""  # None before anything is copied, whatever its type says

    @clipboard.setter
    def clipboard(self, text: str) -> None:
        imgui.set_current_context(self._context)
        imgui.set_clipboard_text(text)


def _array(address: int, count: int, dtype: Any) -> NDArray[Any]:
    """An array over memory of the binding, valid until the next frame."""
    if not count:
        return np.zeros(0, dtype)
    size = count * np.dtype(dtype).itemsize
    return np.frombuffer((ctypes.c_char * size).from_address(address), dtype)


def _commands(lists: list[Any]) -> Iterator[DrawCommand]:
    first_index = first_vertex = 0
    for each in lists:
        for command in each.commands:
            yield DrawCommand(
                tuple(command.clip_rect),
                command.tex_ref.get_tex_id(),
                first_index + command.idx_offset,
                command.elem_count,
                first_vertex + command.vtx_offset,
            )
        first_index += each.idx_buffer_size
        first_vertex += each.vtx_buffer_size
