"""``renderwright bench models``: the cost of loading a large model, or a table of model files.

CPU seconds of the loading thread, and beside them the least that any loader does with the same file: reading it, and
copying its attributes into one array of vertices and one of indices for each mesh. Times are medians.
"""

from __future__ import annotations

import json
import logging
import struct
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import numpy as np
import PIL.Image
from numpy.typing import NDArray

from benchmarks.measure import median_seconds
from benchmarks.model_outcomes import MEANINGS, model_files, outcome
from benchmarks.printed_rows import Column, PrintedRows
from renderwright.engine.picture import save_image
from renderwright.engine.scene.gltf import load_gltf

TRIANGLES = 1_000_000
RUNS = 5
_COMPONENTS = {"f": 5126, "u": 5125}
_TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4"}


@dataclass(frozen=True)
class Case:
    """A model of equal meshes."""

    name: str
    meshes: int
    attributes: tuple[str, ...]


CASES = (
    Case("one mesh, tangents to be made", 1, ("POSITION", "NORMAL", "TEXCOORD_0")),
    Case("one mesh with tangents", 1, ("POSITION", "NORMAL", "TEXCOORD_0", "TANGENT")),
    Case("one mesh, normals to be made", 1, ("POSITION", "TEXCOORD_0")),
    Case("1,000 meshes, tangents to be made", 1_000, ("POSITION", "NORMAL", "TEXCOORD_0")),
    Case("10,000 meshes, tangents to be made", 10_000, ("POSITION", "NORMAL", "TEXCOORD_0")),
)


def grid(triangles: int) -> tuple[dict[str, NDArray[Any]], NDArray[np.uint32]]:
    """The attributes and indices of a wavy square of about so many triangles."""
    side = max(1, round((triangles / 2) ** 0.5))
    steps = np.linspace(0.0, 1.0, side + 1, dtype=np.float32)
    u, v = (each.reshape(-1) for each in np.meshgrid(steps, steps))
    positions = np.stack([u, 0.1 * np.sin(9.0 * u), v], axis=1).astype(np.float32)
    up = np.tile(np.array([0, 1, 0], np.float32), (len(u), 1))
    along = np.tile(np.array([1, 0, 0, 1], np.float32), (len(u), 1))
    corner = (np.arange(side * (side + 1)).reshape(side, side + 1)[:, :side]).reshape(-1)
    below = corner + side + 1
    indices = np.stack([corner, below, corner + 1, corner + 1, below, below + 1], axis=1).astype(np.uint32)
    uvs = np.stack([u, v], axis=1)
    return {"POSITION": positions, "NORMAL": up, "TEXCOORD_0": uvs, "TANGENT": along}, indices.reshape(-1)


def write_model(path: Path, case: Case, triangles: int) -> None:
    """Write the model of a case as a .glb file. Each mesh has data of its own."""
    attributes, indices = grid(triangles // case.meshes)
    arrays = [*(attributes[name] for name in case.attributes), indices]
    document: dict[str, Any] = {"asset": {"version": "2.0"}, "accessors": [], "bufferViews": [], "meshes": []}
    end = 0
    for _ in range(case.meshes):
        first = len(document["accessors"])
        for array in arrays:
            view = len(document["bufferViews"])
            width = 1 if array.ndim == 1 else array.shape[1]
            kind = {"componentType": _COMPONENTS[array.dtype.kind], "type": _TYPES[width], "count": len(array)}
            document["accessors"].append({"bufferView": view, **kind})
            document["bufferViews"].append({"buffer": 0, "byteOffset": end, "byteLength": array.nbytes})
            end += array.nbytes
        used = {name: first + number for number, name in enumerate(case.attributes)}
        document["meshes"].append({"primitives": [{"attributes": used, "indices": first + len(used)}]})
    document["nodes"] = [{"mesh": number} for number in range(case.meshes)]
    document["buffers"] = [{"byteLength": end}]
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    data = b"".join(array.tobytes() for array in arrays) * case.meshes
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)


def least_work(path: Path, case: Case, triangles: int) -> None:
    """Read a file and copy its arrays, without looking at its JSON."""
    data = path.read_bytes()
    attributes, indices = grid(triangles // case.meshes)
    shapes = [attributes[name].shape for name in case.attributes]
    at = len(data) - case.meshes * (sum(attributes[name].nbytes for name in case.attributes) + indices.nbytes)
    for _ in range(case.meshes):
        parts = []
        for count, width in shapes:
            parts.append(np.frombuffer(data, np.float32, count * width, at).reshape(count, width))
            at += 4 * count * width
        np.concatenate(parts, axis=1)
        np.frombuffer(data, np.uint32, len(indices), at).copy()
        at += indices.nbytes


def measure(case: Case, triangles: int, runs: int) -> tuple[float, float]:
    """The seconds of loading and those of the least work."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.glb"
        write_model(path, case, triangles)
        loading = median_seconds(lambda: load_gltf(path), runs, clock=time.thread_time)
        least = median_seconds(lambda: least_work(path, case, triangles), runs, clock=time.thread_time)
        return loading, least


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--triangles", default=TRIANGLES, show_default=True)
@click.option("--runs", default=RUNS, show_default=True)
@click.option("--pictures", type=click.Path(path_type=Path, file_okay=False), help="Folder for a PNG of each file.")
@click.option("--device", default="", help="Part of the name of the GPU to use.")
def command(folder: Path | None, triangles: int, runs: int, pictures: Path | None, device: str) -> None:
    """Measure the loading of a large model, or list model files.

    With a FOLDER, what becomes of each model file in it and in its folders: loaded, drawn, and what is said of it.
    """
    if folder is not None:
        print_outcomes(folder, pictures, device)
        return
    columns = (
        Column("model", 34, left=True),
        Column("seconds", 7),
        Column("reading and copying", 7),
        Column("ratio", 6),
    )
    rows = PrintedRows(f"Loading {triangles:,} triangles", columns)
    for case in CASES:
        loading, least = measure(case, triangles, runs)
        rows.add(case.name, f"{loading:.2f}", f"{least:.3f}", f"{loading / max(least, 1e-9):.1f}")
    rows.end("CPU seconds of the thread that loads, medians")


def print_outcomes(folder: Path, pictures: Path | None, device: str) -> None:
    """Print a row for each model file in ``folder``, and how many there are of each outcome."""
    from renderwright.render.backend.vulkan.backend import VulkanBackend

    log = logging.getLogger("renderwright.assets")
    level = log.level
    rows = PrintedRows(f"Model files in {folder}", (Column("file", 48, left=True), Column("outcome", 8, left=True)))
    counts = dict.fromkeys(MEANINGS, 0)
    backend = VulkanBackend(device, wait_seconds=120.0)
    try:
        log.setLevel(logging.ERROR)  # the table has its lines
        for path in model_files(folder):
            found = outcome(path, backend)
            counts[found.kind] += 1
            name = str(path.relative_to(folder))
            rows.add(name, found.kind)
            click.echo("".join(f"    {line}\n" for line in found.lines), nl=False)
            if pictures is not None and found.picture is not None:
                save_image(pictures / f"{name.replace('/', '__')}.png", PIL.Image.fromarray(found.picture))
    finally:
        log.setLevel(level)
        backend.close()
    rows.end(*(f"{counts[kind]:6} {kind}: {meaning}" for kind, meaning in MEANINGS.items()))
