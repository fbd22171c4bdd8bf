"""The scalar, vector and matrix types of GLSL, by name."""

from __future__ import annotations

from dataclasses import dataclass

from renderwright.render.formats import Numbers


@dataclass(frozen=True)
class GlslType:
    """A numeric type.

    ``code`` is the scalar's type code in ``struct`` and numpy, ``scalar_bytes`` its size. Scalars and vectors have
    one column; ``rows`` is a vector's length.
    """

    name: str
    code: str
    scalar_bytes: int
    rows: int = 1
    columns: int = 1

    @property
    def numbers(self) -> Numbers:
        """The numbers of its scalars."""
        if self.code in "fde":
            return Numbers.FLOATS
        return Numbers.UNSIGNED if self.code.isupper() else Numbers.INTEGERS

    def end(self, offset: int, count: int, stride: int, matrix_stride: int, row_major: bool) -> int:
        """The first byte after a member of this type, which starts at ``offset`` (see ``BlockMember``)."""
        last = offset + (count - 1) * stride if count else offset
        if self.columns == 1:
            return last + self.rows * self.scalar_bytes
        return last + (self.rows if row_major else self.columns) * matrix_stride


_SCALARS = (
    # name, code, bytes, prefix of vectors and matrices
    ("float", "f", 4, ""),
    ("double", "d", 8, "d"),
    ("float16_t", "e", 2, "f16"),
    ("int", "i", 4, "i"),
    ("uint", "I", 4, "u"),
    ("int64_t", "q", 8, "i64"),
    ("uint64_t", "Q", 8, "u64"),
    ("int16_t", "h", 2, "i16"),
    ("uint16_t", "H", 2, "u16"),
    ("int8_t", "b", 1, "i8"),
    ("uint8_t", "B", 1, "u8"),
)


def _table() -> dict[str, GlslType]:
    types: dict[str, GlslType] = {}
    for scalar, code, size, prefix in _SCALARS:
        types[scalar] = GlslType(scalar, code, size)
        for rows in (2, 3, 4):
            types[f"{prefix}vec{rows}"] = GlslType(f"{prefix}vec{rows}", code, size, rows)
        if code not in "fde":
            continue
        for columns in (2, 3, 4):
            for rows in (2, 3, 4):
                name = f"{prefix}mat{columns}" if rows == columns else f"{prefix}mat{columns}x{rows}"
                types[name] = GlslType(name, code, size, rows, columns)
    return types


GLSL_TYPES: dict[str, GlslType] = _table()
"""Every numeric type by its name; a boolean is a ``uint`` in a block."""

CODES = {Numbers.FLOATS: "f", Numbers.INTEGERS: "i", Numbers.UNSIGNED: "I"}
"""The code of the scalar that shaders use for numbers."""

_BY_SHAPE = {(kind.code, kind.rows, kind.columns): kind for kind in GLSL_TYPES.values()}


def glsl_type(code: str, rows: int = 1, columns: int = 1) -> GlslType | None:
    """The type of that scalar code and shape; None if GLSL has none."""
    return _BY_SHAPE.get((code, rows, columns))
