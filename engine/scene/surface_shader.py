"""Surface functions in GLSL that games and plugins write for materials of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from renderwright.engine.caller import caller_location
from renderwright.engine.scene.entity_values import shortened
from renderwright.engine.scene.image import Image
from renderwright.engine.scene.number_rules import NumberRule
from renderwright.engine.scene.value_class import replaced_by
from renderwright.render.errors import SourceLocation, UsageError
from renderwright.render.files import package_data_advice

MOST_VECTORS = 8
"""The vectors of four numbers that have room for all parameters."""

MOST_IMAGES = 4

Parameter = float | tuple[float, ...]
"""A number or a vector of two to four."""

_NAME = re.compile(r"(?!gl_)[A-Za-z](?:_?[A-Za-z0-9])*\Z")
_TAKEN = frozenset({"at", "surface", "parameters", "material", "float", "int", "vec2", "vec3", "vec4"})


@replaced_by("entity.material = dataclasses.replace(material, surface=dataclasses.replace(surface, {change}))")
@dataclass(frozen=True)
class SurfaceShader:
    """The surface function of a material: ``void own_surface(inout Surface surface, SurfacePoint at)`` in a GLSL file.

    It is called for each fragment after the material's own values were read, and may change them
    (docs/own-materials.md). A ``file`` without a folder in front is beside the Python file of the game that makes the
    value, or in its folder ``glsl``. With ``plugin`` it is the name of one of the files that this plugin brings
    (``PluginInfo.surfaces``).

    GLSL sees a parameter ``width`` as ``parameters.width``, a float or a vector of two to four; an image ``pattern``
    as the sampler ``pattern``. Of a plugin's file, parameters and images that are left out are as the plugin says.
    All parameters fit into 8 vectors of four numbers, and there are at most 4 images. An invalid value raises
    ``UsageError``. Values compare by what they hold.
    """

    file: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict, compare=False)
    images: Mapping[str, Image] = field(default_factory=dict, compare=False)
    plugin: str = ""
    made_at: SourceLocation | None = field(default_factory=caller_location, init=False, repr=False, compare=False)
    _values: tuple[object, ...] = field(default=(), init=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("file", "plugin"):
            value = getattr(self, name)
            if not isinstance(value, str | Path) or (name == "file" and not str(value)):
                raise self._refusal(name, value, 'give a str such as "stripes.glsl"')
        for name in ("parameters", "images"):
            if not isinstance(getattr(self, name), Mapping):
                raise self._refusal(name, getattr(self, name), "give a dict with a value for each name")
        parameters = {name: self._parameter(name, value) for name, value in self.parameters.items()}
        for name in (*parameters, *self.images):
            self._check_name(name)
        for name, image in self.images.items():
            if name in parameters:
                raise self._refusal("images", name, "give it another name than the parameter of this name")
            if not isinstance(image, Image):
                raise self._refusal(f"images[{name!r}]", image, "give an Image, such as that of load_image(path)")
        if len(self.images) > MOST_IMAGES:
            raise self._refusal("images", len(self.images), f"give at most {MOST_IMAGES}")
        if parameter_places({name: width_of(value) for name, value in parameters.items()})[1] > MOST_VECTORS:
            raise self._refusal("parameters", tuple(parameters), f"they have room in {MOST_VECTORS} vectors of four")
        object.__setattr__(self, "parameters", MappingProxyType(parameters))
        object.__setattr__(self, "images", MappingProxyType(dict(sorted(self.images.items()))))
        object.__setattr__(self, "file", str(self.file) if self.plugin else self._found())
        object.__setattr__(self, "_values", (tuple(parameters.items()), tuple(self.images.items())))

    def __reduce__(self) -> tuple[Any, ...]:
        """Mappings that cannot be changed cannot be pickled, either."""
        return SurfaceShader, (self.file, dict(self.parameters), dict(self.images), self.plugin)

    def _parameter(self, name: object, value: Any) -> Parameter:
        count = 0 if isinstance(value, float | int) else len(value) if hasattr(value, "__len__") else 1
        if not (count == 0 or 2 <= count <= 4) or not NumberRule(count).allows(value):
            raise self._refusal(f"parameters[{name!r}]", value, "give a finite number, or a tuple of two to four")
        return float(value) if count == 0 else tuple(float(number) for number in value)

    def _check_name(self, name: object) -> None:
        if not isinstance(name, str) or not _NAME.match(name) or name in _TAKEN:
            raise UsageError(
                f"{shortened(name)} cannot be a name in the GLSL of a SurfaceShader",
                hint="use letters, digits and single underscores, and no word of GLSL",
                where=self.made_at,
            )

    def _found(self) -> str:
        """The absolute path of a game's file."""
        beside = Path(self.made_at.file).parent if self.made_at is not None else Path.cwd()
        for folder in (beside, beside / "glsl"):
            if (path := folder / self.file).is_file():
                return str(path.resolve())
        raise UsageError(
            f'there is no file "{self.file}" for a SurfaceShader',
            hint=f"it is searched in {beside} and in its folder glsl; plugin=NAME is for the file of a plugin"
            + package_data_advice(beside),
            where=self.made_at,
        )

    def _refusal(self, name: str, value: object, hint: str) -> UsageError:
        return UsageError(f"SurfaceShader.{name} cannot be {shortened(value)}", hint=hint, where=self.made_at)


def width_of(value: Parameter) -> int:
    """The number of components of a parameter."""
    return 1 if isinstance(value, float) else len(value)


def parameter_places(widths: Mapping[str, int]) -> tuple[dict[str, int], int]:
    """The place of each parameter among all numbers, and the number of vectors of four that they take.

    No parameter is in two vectors.
    """
    places: dict[str, int] = {}
    end = 0
    for name, width in widths.items():
        if end % 4 + width > 4:
            end += -end % 4
        places[name] = end
        end += width
    return places, -(-end // 4)
