"""The extensions of glTF that are loaded, and notices of those that are not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from renderwright.engine.scene.decoding import shown
from renderwright.engine.scene.gltf.document import GltfDocument
from renderwright.engine.scene.gltf.notices import ModelNotices

#: Quantized meshes need nothing beyond reading every accessor type.
LOADED = frozenset(
    (
        "EXT_mesh_gpu_instancing",
        "EXT_meshopt_compression",
        "EXT_texture_webp",
        "KHR_draco_mesh_compression",
        "KHR_lights_punctual",
        "KHR_materials_clearcoat",
        "KHR_materials_emissive_strength",
        "KHR_materials_ior",
        "KHR_materials_pbrSpecularGlossiness",
        "KHR_materials_sheen",
        "KHR_materials_transmission",
        "KHR_materials_specular",
        "KHR_materials_unlit",
        "KHR_materials_volume",
        "KHR_mesh_quantization",
        "KHR_texture_basisu",
        "KHR_texture_transform",
    )
)
"""Extensions that are loaded, so that a file may require them."""

LEFT_OUT = frozenset(
    (
        "KHR_animation_pointer",
        "KHR_materials_anisotropy",
        "KHR_materials_dispersion",
        "KHR_materials_iridescence",
        "KHR_materials_variants",
    )
)
"""Extensions that refine what is complete without them. A file that requires one is shown without it, with a notice."""

INSTALL = 'pip install "renderwright[gltf]"'
"""The way to the decoders of compressed models."""

NOT_SHOWN = frozenset(("KHR_xmp", "KHR_xmp_json_ld"))
"""Extensions without an effect on what is shown; ignoring them takes nothing away."""


class Labels(Protocol):
    """Names elements of a file."""

    def label(self, kind: str, index: int) -> str:
        """``meshes[2] "Crate"``."""


def unknown_required(document: GltfDocument, loaded: Iterable[str] = LOADED) -> list[str]:
    """The extensions that the file requires and cannot be shown without, and that are not loaded, sorted."""
    required = {str(name) for name in document.extensionsRequired or ()}
    return sorted(required - set(loaded) - NOT_SHOWN - LEFT_OUT)


def note_ignored(document: GltfDocument, labels: Labels, notices: ModelNotices) -> None:
    """Give a notice of each extension that elements of the file have and that is not loaded."""
    for kind, index, name in document.extensions_in_use():
        if name not in LOADED and name not in NOT_SHOWN:
            element = "the file" if index is None else labels.label(kind, index)
            notices.add(element, f"extension {shown(name)} is not supported and left out")
