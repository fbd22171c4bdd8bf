"""What sprites, nine-patches and texts have in common: a place, a colour and a layer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from renderwright.engine.caller import caller_location
from renderwright.engine.scene.number_rules import NumberRule
from renderwright.engine.scene.rows import Rows
from renderwright.engine.sprites.pieces import Kind, Pieces
from renderwright.engine.sprites.table import SpriteTable
from renderwright.render.errors import UsageError

Space = Literal["world", "screen"]
Color = tuple[float, float, float, float]
WHITE: Color = (1.0, 1.0, 1.0, 1.0)

_POSITIONS = (NumberRule(3), NumberRule(2))
_LAYER = NumberRule(least=-(2**31), most=2**31 - 1, whole=True)


class Placed(ABC):
    """Base of everything in ``scene.sprites``.

    In the ``space`` "world", ``position`` is in metres, and the picture lies in the plane of x and y, or turns to each
    camera if it is ``facing``. In "screen" it is in HUD units from the left top corner, y down, over the finished
    picture of ``player`` (None: of every player). ``rotation`` is in radians, counter-clockwise. ``color`` is linear
    with straight alpha and multiplies the image. Higher layers are drawn over lower ones, and in a layer later ones
    over earlier ones. Values are not changed in place: assign them. An invalid one raises ``UsageError``.
    """

    def __init__(
        self,
        position: Sequence[float],
        rotation: float,
        color: Sequence[float],
        layer: int,
        space: Space,
        player: int | None,
        *,
        facing: bool,
    ) -> None:
        self._table: SpriteTable | None = None
        self._row = -1
        if space not in ("world", "screen"):
            raise self._refused("space", space, '"world" or "screen"')
        if space == "screen" and facing:
            raise self._refused("facing", facing, "False on the screen, which all sprites face")
        self._kind = Kind(space == "screen", player if space == "screen" else None, facing)
        self._place = np.zeros(4, np.float32)
        self._color: Color = WHITE
        self._layer = 0
        self._visible = True
        self.position = position
        self.rotation = rotation
        self.color = color
        self.layer = layer

    @property
    def table(self) -> SpriteTable | None:
        """The table that it is in."""
        return self._table

    @property
    def row(self) -> int:
        """Its row there."""
        return self._row

    @property
    def position(self) -> tuple[float, float, float]:
        """x, y, z; z is 0 for two numbers."""
        x, y, z = self._values()[:3].tolist()
        return x, y, z

    @position.setter
    def position(self, position: Sequence[float]) -> None:
        if not any(rule.allows(position) for rule in _POSITIONS):
            raise self._refused("position", position, "2 or 3 finite numbers")
        self._move(slice(0, 3), (*position, 0.0)[:3])

    @property
    def rotation(self) -> float:
        """Radians, counter-clockwise."""
        return float(self._values()[3])

    @rotation.setter
    def rotation(self, rotation: float) -> None:
        self._check("rotation", rotation, NumberRule())
        self._move(3, rotation)

    @property
    def color(self) -> Color:
        """Red, green, blue, alpha."""
        if self._table is None:
            return self._color
        r, g, b, a = self._table.colors[self._row].tolist()
        return r, g, b, a

    @color.setter
    def color(self, color: Sequence[float]) -> None:
        self._check("color", color, NumberRule(4, least=0.0))
        r, g, b, a = (float(each) for each in color)
        self._color = (r, g, b, a)
        if self._table is not None:
            self._table.colors[self._row] = self._color
            self._table.touch(self._rows())

    @property
    def layer(self) -> int:
        """Higher ones are drawn over lower ones."""
        return self._layer

    @layer.setter
    def layer(self, layer: int) -> None:
        self._check("layer", layer, _LAYER)
        self._layer = int(layer)
        if self._table is not None:
            self._table.layers[self._row] = self._layer
            self._table.arrangement += 1

    @property
    def visible(self) -> bool:
        """Whether it is shown."""
        return self._visible

    @visible.setter
    def visible(self, visible: bool) -> None:
        if bool(visible) is self._visible:
            return
        self._visible = bool(visible)
        if self._table is not None:
            self._table.visible[self._row] = self._visible
            self._table.arrangement += 1

    def snap(self) -> None:
        """Do not interpolate its last movement, such as a jump."""
        if self._table is not None:
            self._table.snap(self._rows())

    # -- inside

    @abstractmethod
    def pieces(self) -> Pieces:
        """What is drawn of it."""

    def enter(self, table: SpriteTable) -> None:
        """Become a row of a table."""
        rows = table.add(self._place[None, :], self._color, self._layer, self._kind, visible=self._visible)
        self._table, self._row = table, int(rows[0])
        table.set_pieces(self._row, self.pieces())

    def leave(self) -> None:
        """Keep the values of the row, which is freed."""
        assert self._table is not None
        self._place, self._color = self._values().copy(), self.color
        self._table.remove(self._rows())
        self._table, self._row = None, -1

    def _changed_pieces(self) -> None:
        if self._table is not None:
            self._table.set_pieces(self._row, self.pieces())

    def _values(self) -> Any:
        return self._place if self._table is None else self._table.places[self._row]

    def _move(self, part: int | slice, values: Any) -> None:
        self._values()[part] = values
        if self._table is not None:
            self._table.move()

    def _rows(self) -> Rows:
        return np.array([self._row], np.intp)

    def _check(self, field: str, value: object, rule: NumberRule) -> None:
        if not rule.allows(value):
            raise self._refused(field, value, str(rule))

    def _refused(self, field: str, value: object, allowed: str) -> UsageError:
        message = f"{type(self).__name__}.{field} cannot be {value!r}"
        return UsageError(message, hint=f"it is {allowed}", where=caller_location())
