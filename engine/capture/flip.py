"""Pictures of two captures side by side, with what an eye sees of the difference (FLIP)."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_PAIRS = 80

FLIP, PLAIN = "FLIP", "mean difference"
"""How differences are measured: by NVIDIA's FLIP where flip-evaluator is installed (extra ``flip``), else plainly."""

Picture = Mapping[str, Any]


def measure() -> str:
    """How this machine measures differences."""
    try:
        import flip_evaluator  # noqa: F401
    except ImportError:
        return PLAIN
    return FLIP


def picture_pairs(before: Sequence[Picture], after: Sequence[Picture]) -> list[dict[str, Any]]:
    """The pictures whose texels differ, the most different first, with a ``map`` of where.

    Pictures belong together if they are of the same resource, mip and layer after the same node, or else after the last
    node that writes it. ``difference`` is from 0 to 1; None where the sizes differ, or one side has none.
    """
    found = []
    for old, new in _matched(before, after):
        if old is not None and new is not None and old["digest"] == new["digest"]:
            continue
        found.append(_pair(old, new))
    found.sort(key=lambda pair: 1.0 if pair["difference"] is None else -pair["difference"])
    return found[:MOST_PAIRS]


def _matched(before: Sequence[Picture], after: Sequence[Picture]) -> list[tuple[Picture | None, Picture | None]]:
    old, new = ({_key(one): one for one in side} for side in (before, after))
    both = [(old[key], new[key]) for key in new if key in old]
    # A resource whose writers differ is compared at its end.
    ends = [{key[1:]: one for key, one in side.items()} for side in (old, new)]
    met = {key[1:] for key in new if key in old}
    rest = [(ends[0].get(key), ends[1].get(key)) for key in {**ends[1], **ends[0]} if key not in met]
    return [*both, *rest]


def _key(picture: Picture) -> tuple[str, str, int, int]:
    return picture["node"], picture["resource"], picture["mip"], picture["layer"]


def _pair(old: Picture | None, new: Picture | None) -> dict[str, Any]:
    pair: dict[str, Any] = {"before": old, "after": new, "difference": None, "map": None}
    if old is None or new is None or old["size"] != new["size"] or old["kind"] != new["kind"]:
        return pair
    low, high = (
        [pick(a, b) for a, b in zip(old[end], new[end], strict=False)] for pick, end in ((min, "low"), (max, "high"))
    )
    shades = [_shades(one, min(low[:3]), max(high[:3])) for one in (old, new)]
    heat, difference = _compared(*shades)
    return {**pair, "difference": round(difference, 6), "map": _map(new, heat)}


def _compared(old: NDArray[np.float32], new: NDArray[np.float32]) -> tuple[NDArray[np.float32], float]:
    """The difference of two pictures of shades, as a picture and as a number."""
    if measure() == FLIP:
        import flip_evaluator

        heat, mean, _ = flip_evaluator.evaluate(old, new, "LDR", inputsRGB=True, applyMagma=True)
        return np.asarray(heat, np.float32), float(mean)
    apart = np.abs(old - new)
    return apart, float(apart.mean())


def _shades(picture: Picture, low: float, high: float) -> NDArray[np.float32]:
    """A picture as the page shows it first, (height, width, 3) from 0 to 1, in a range that both sides share."""
    width, height = picture["size"]
    data = zlib.decompress(base64.b64decode(picture["data"]))
    planes = np.frombuffer(data, f"<{picture['type']}").reshape(picture["channels"], height, width)
    values = np.nan_to_num(np.moveaxis(planes[:3], 0, 2).astype(np.float64), posinf=1e9, neginf=-1e9)
    if picture["kind"] == "color":
        low, high = 0.0, picture["scale"]
    unit = np.clip((values - low) / ((high - low) or 1.0), 0.0, 1.0)
    if picture["kind"] == "color" and picture["linear"]:
        unit = np.where(unit <= 0.0031308, unit * 12.92, 1.055 * unit ** (1.0 / 2.4) - 0.055)
    if unit.shape[2] < 3:
        fill = unit if unit.shape[2] == 1 else np.zeros_like(unit[..., :1])
        unit = np.concatenate([unit, *[fill[..., :1]] * (3 - unit.shape[2])], axis=2)
    return np.ascontiguousarray(unit, np.float32)


def _map(picture: Picture, heat: NDArray[np.float32]) -> dict[str, Any]:
    """The picture of a difference, in the form of other pictures."""
    planes = np.ascontiguousarray(np.moveaxis(np.rint(np.clip(heat, 0.0, 1.0) * 255.0).astype(np.uint8), 2, 0))
    return {
        **{key: picture[key] for key in ("node", "resource", "mip", "layer", "layers", "extent", "size")},
        "format": "difference",
        "channels": 3,
        "kind": "color",
        "linear": False,
        "type": "u1",
        "scale": 255,
        "low": [int(plane.min()) for plane in planes],
        "high": [int(plane.max()) for plane in planes],
        "nan": 0,
        "infinite": 0,
        "flat": False,
        "digest": "",
        "data": base64.b64encode(zlib.compress(planes.tobytes(), 6)).decode(),
    }
