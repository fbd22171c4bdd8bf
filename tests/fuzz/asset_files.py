"""Random models and images: sound ones, and mutations of their JSON and of their bytes."""

from __future__ import annotations

import copy
import io
import json
import math
import random
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
from gltf_builder import GltfBuilder

ODD: tuple[Any, ...] = (
    None, True, -1, 0, 1, 3, 0.5, 1e300, -1e38, 10**9, 1 << 31, 1 << 62, 10**30, "", "x", "\n\x1b[2J", "é", "x" * 300,
    [], {}, [[1]], {"a": 1}, [0] * 5, [1e38] * 3, [1e38] * 16, "VEC2", "MAT4", 5120, 5126, "BLEND",
    "\ud800", math.nan, math.inf,
)  # fmt: skip
HEADERS = ("PNG", "JPEG", "BMP", "TGA")


class AssetMaker:
    """Makes the files of one case. ``outside`` is a file that no model may read."""

    def __init__(self, seed: int, folder: Path, outside: Path) -> None:
        self.rng = random.Random(seed)
        self.numbers = np.random.default_rng(seed)
        self.folder = folder
        self.uris = (
            str(outside), f"../{outside.name}", f"x/../../{outside.name}", f"%2e%2e/{outside.name}", "link.bin",
            "fifo.bin", "folder", ".", "", "/dev/zero", "/etc/passwd", "/proc/self/mem", "file:///etc/passwd", "http://localhost/a",
            "data:,", "data:;base64,@", "data:x", "a\0b", "x" * 5000, "data.bin", "circle.bin", "%00", "model.gltf",
        )  # fmt: skip

    # models ---------------------------------------------------------------------------------------------------------

    def model(self) -> Path:
        """A model file, mutated or not."""
        rng = self.rng
        builder = self.sound_model()
        if rng.random() < 0.2:
            self.inflate(builder.document)
        for _ in range(rng.choice((0, 1, 1, 2, 6))):
            self.change(builder.document)
        form = rng.random()
        if form < 0.4:
            path = builder.save_glb(self.folder)
        else:
            path = builder.save(self.folder, external="data.bin" if form < 0.7 else "")
            if rng.random() < 0.3:
                document = json.loads(path.read_text())
                document["buffers"][0] |= {rng.choice(("uri", "byteLength")): rng.choice((*self.uris, *ODD))}
                path.write_text(json.dumps(document))
        if rng.random() < 0.4:
            path.write_bytes(self.mutated(path.read_bytes()))
        return path

    def sound_model(self) -> GltfBuilder:
        """A model of the right shape with a bit of everything."""
        rng = self.rng
        builder = GltfBuilder()
        textures = [builder.texture(self.pixels(), data_uri=rng.random() < 0.5) for _ in range(rng.randint(0, 2))]
        images = [{"index": rng.choice(textures)} for _ in range(3)] if textures else []
        material: dict[str, Any] = {"name": "Paint", "emissiveFactor": [1, 0.5, 0]}
        if images:
            material |= {
                "normalTexture": images[0] | {"scale": 0.5},
                "occlusionTexture": images[1] | {"strength": 0.5},
                "pbrMetallicRoughness": {"baseColorTexture": images[2], "baseColorFactor": [1, 1, 0.5, 1]},
            }
            material["extensions"] = self.layers(images[0])
            builder.document["samplers"] = [{"wrapS": 33071, "magFilter": 9728}]
            builder.document["textures"][0]["sampler"] = 0
        builder.document["materials"].append(material)
        builder.mesh(*(self.primitive(builder) for _ in range(rng.randint(1, 3))))
        lights = [
            {"type": "point", "range": 4},
            {"type": "spot", "spot": {"outerConeAngle": 0.5}},
            {"type": "directional"},
        ]
        builder.document |= {
            "nodes": [
                {"name": "root", "mesh": 0, "children": [1, 2], "scale": [1, -1, 2], **self.instances(builder)},
                {"camera": 0, "translation": [1, 2, 3]},
                {"extensions": {"KHR_lights_punctual": {"light": rng.randint(0, 2)}}, "rotation": [0, 0, 0, 1]},
            ],
            "cameras": [{"type": "perspective", "perspective": {"yfov": 0.9, "znear": 0.2}}],
            "extensionsUsed": ["KHR_lights_punctual"],
            "extensions": {"KHR_lights_punctual": {"lights": lights}},
        }
        if rng.random() < 0.5:
            self.animate(builder)
        return builder

    def animate(self, builder: GltfBuilder) -> None:
        """Give a model a skin and animations of each kind."""
        rng, document = self.rng, builder.document
        keys = rng.randint(1, 4)
        document["nodes"][0] |= {"skin": 0, "children": [1, 2, 3]}
        document["nodes"] += [{"name": "hip", "children": [4]}, {"name": "knee", "translation": [0, 1, 0]}]
        matrices = np.tile(np.eye(4, dtype=np.float32), (2, 1, 1)).reshape(-1, 4)
        binds = builder.accessor(matrices, type="MAT4", count=2)
        document["skins"] = [{"joints": [3, 4], "inverseBindMatrices": binds}]
        way = rng.choice(("STEP", "LINEAR", "CUBICSPLINE"))
        times = builder.accessor(np.arange(keys, dtype=np.float32))
        targets = max(len(primitive.get("targets", ())) for primitive in document["meshes"][0]["primitives"])
        samplers: list[dict[str, Any]] = []
        channels: list[dict[str, Any]] = []
        for node, path, width in ((3, "translation", 3), (4, "rotation", 4), (1, "scale", 3), (0, "weights", 1)):
            count = keys * (3 if way == "CUBICSPLINE" else 1) * (max(1, targets) if path == "weights" else 1)
            values = self.numbers.random((count, width), np.float32)
            channels.append({"sampler": len(samplers), "target": {"node": node, "path": path}})
            samplers.append({"input": times, "output": builder.accessor(values), "interpolation": way})
        document["animations"] = [{"name": "Walk", "samplers": samplers, "channels": channels}]

    def instances(self, builder: GltfBuilder) -> dict[str, Any]:
        """Perhaps a few instances of a node."""
        if self.rng.random() < 0.7:
            return {}
        attributes = {
            name: builder.accessor(self.numbers.random((3, width), np.float32))
            for name, width in (("TRANSLATION", 3), ("ROTATION", 4), ("SCALE", 3))
        }
        return {"extensions": {"EXT_mesh_gpu_instancing": {"attributes": attributes}}}

    def layers(self, texture: dict[str, Any]) -> dict[str, Any]:
        """Some extensions of a material."""
        turned = texture | {"extensions": {"KHR_texture_transform": {"rotation": 1, "scale": [2, 3], "texCoord": 1}}}
        every = {
            "KHR_materials_clearcoat": {"clearcoatFactor": 0.5, "clearcoatTexture": turned},
            "KHR_materials_sheen": {"sheenColorFactor": [1, 0.5, 0], "sheenRoughnessTexture": texture},
            "KHR_materials_specular": {"specularFactor": 0.5, "specularColorTexture": turned},
            "KHR_materials_ior": {"ior": 1.4},
            "KHR_materials_unlit": {},
            "KHR_materials_pbrSpecularGlossiness": {"specularFactor": [1, 0.5, 0], "specularGlossinessTexture": turned},
        }
        return {name: fields for name, fields in every.items() if self.rng.random() < 0.4}

    def primitive(self, builder: GltfBuilder) -> dict[str, Any]:
        """A primitive with some of the attributes, as a list, strip or fan."""
        rng = self.rng
        count = rng.randint(3, 12)

        huge = rng.choice((1e20, 1e30, 3e38, math.inf, math.nan)) if rng.random() < 0.15 else 1.0

        def floats(width: int) -> int:
            return builder.accessor(self.numbers.random((count, width), np.float32) * np.float32(huge))

        attributes = {"POSITION": floats(3)}
        optional = (("NORMAL", 3), ("TANGENT", 4), ("TEXCOORD_0", 2), ("TEXCOORD_1", 2), ("COLOR_0", 4))
        for name, width in optional:
            if rng.random() < 0.5:
                attributes[name] = floats(width)
        if rng.random() < 0.3:
            where = builder.view(np.arange(2, dtype=np.uint16).tobytes())
            values = builder.view(self.numbers.random((2, 3), np.float32).tobytes())
            builder.document["accessors"][attributes["POSITION"]]["sparse"] = {
                "count": 2,
                "indices": {"bufferView": where, "componentType": 5123},
                "values": {"bufferView": values},
            }
        if rng.random() < 0.5:
            attributes["JOINTS_0"] = builder.accessor(self.numbers.integers(0, 2, (count, 4)).astype(np.uint8))
            attributes["WEIGHTS_0"] = floats(4)
        entry: dict[str, Any] = {"attributes": attributes, "mode": rng.choice((0, 4, 4, 5, 6)), "material": 0}
        if rng.random() < 0.7:
            kind = rng.choice((np.uint8, np.uint16, np.uint32))
            entry["indices"] = builder.accessor(self.numbers.integers(0, count, 3 * count).astype(kind))
        if rng.random() < 0.3:
            entry["targets"] = [{"POSITION": floats(3), "NORMAL": floats(3)} for _ in range(rng.randint(1, 3))]
        return entry

    def change(self, document: dict[str, Any]) -> None:
        """Replace a random value of the document by something odd, or double or remove it."""
        rng = self.rng
        holder: Any = document
        while True:
            key = rng.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
            inner = holder[key]
            if not isinstance(inner, (dict, list)) or not inner or rng.random() < 0.15:
                break
            holder = inner
        if isinstance(holder, list) and rng.random() < 0.3:
            holder += [copy.deepcopy(inner)] * rng.choice((1, 50))
        elif rng.random() < 0.1:
            del holder[key]
        else:
            holder[key] = copy.deepcopy(rng.choice(self.uris if key == "uri" else ODD))

    def inflate(self, document: dict[str, Any]) -> None:
        """Make a small file ask for much."""
        rng = self.rng
        match rng.randrange(5):
            case 0:
                for accessor in document["accessors"]:
                    accessor["count"] = 1 << rng.choice((13, 20, 23))
                    accessor.pop("bufferView")
            case 1:
                document["meshes"][0]["primitives"] *= rng.choice((200, 700))
            case 2:
                document["images"] *= 300
                count = len(document["images"])
                document["textures"] = [{"source": number} for number in range(count)]
                document["materials"] = [{"emissiveTexture": {"index": number}} for number in range(count)]
                shapes = document["meshes"][0]["primitives"]
                shapes += [shapes[0] | {"material": number} for number in range(count)]
            case 3:
                document["extras"] = [{}] * rng.choice((2100, 30_000))
            case _:
                for _ in range(rng.choice((70, 400))):
                    document["extras"] = [document.get("extras")]

    # images ---------------------------------------------------------------------------------------------------------

    def pixels(self) -> np.ndarray:
        return self.numbers.integers(0, 256, (self.rng.randint(1, 9), self.rng.randint(1, 9), 3), np.uint8)

    def image(self) -> bytes:
        """An image file, mutated or not."""
        rng = self.rng
        file = io.BytesIO()
        form = rng.choice((*HEADERS, "GIF", "TIFF", "EPS"))
        picture = PIL.Image.fromarray(self.pixels())
        if rng.random() < 0.03:
            form, picture = "PNG", PIL.Image.new("1", rng.choice(((16385, 2), (8200, 8192), (12000, 8000))))
        if form in ("PNG", "TGA", "TIFF") and rng.random() < 0.4:
            picture = picture.convert(rng.choice(("L", "P", "RGBA", "LA")))
        picture.save(file, form)
        data = file.getvalue()
        if form == "PNG" and rng.random() < 0.4:
            data = self.with_other_header(data)
        return data if rng.random() < 0.15 else self.mutated(data)

    def with_other_header(self, png: bytes) -> bytes:
        """The PNG file with another size, depth or colour type, and a sum that fits."""
        rng = self.rng
        sides = (0, 1, 7, 4096, 8193, 16385, 65535, 2**31 - 1, 2**32 - 1)
        head = struct.pack(">II", rng.choice(sides), rng.choice(sides))
        head += bytes((rng.choice((1, 8, 16, 3)), rng.choice((0, 2, 3, 4, 6, 5)), 0, 0, rng.choice((0, 1, 9))))
        return png[:16] + head + struct.pack(">I", zlib.crc32(b"IHDR" + head)) + png[33:]

    def panorama(self) -> bytes:
        """A Radiance file, mutated or not."""
        rng = self.rng
        width, height = rng.randint(1, 20), rng.randint(1, 6)
        if rng.random() < 0.3:
            width, height = rng.choice((0, 8, 1 << 15, 99999)), rng.choice((1, 1 << 15, 10**12))
        rows = self.numbers.integers(0, 256, (min(height, 6), min(width, 20), 4), np.uint8).tobytes()
        data = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n" + f"-Y {height} +X {width}\n".encode() + rows
        return data if rng.random() < 0.3 else self.mutated(data)

    # bytes ----------------------------------------------------------------------------------------------------------

    def mutated(self, data: bytes) -> bytes:
        """The bytes with some changed, cut out, doubled or put in."""
        rng = self.rng
        found = bytearray(data)
        for _ in range(rng.choice((1, 1, 2, 8))):
            at = rng.randrange(len(found) + 1)
            length = rng.choice((1, 2, 4, 40))
            match rng.randrange(6):
                case 0:
                    found[at : at + 1] = bytes((rng.randrange(256),))
                case 1:
                    found[at : at + 4] = struct.pack("<I", rng.choice((0, 1, 1 << 31, 2**32 - 1, 1 << 24)))
                case 2:
                    del found[at:]
                case 3:
                    del found[at : at + length]
                case 4:
                    found[at:at] = found[at : at + length]
                case _:
                    found[at:at] = rng.randbytes(length)
        return bytes(found)
