"""Jointed figures as content: what a YAML file says about joints, limbs and clips, and the model of that."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import Field

from renderwright.engine.content import Content, ContentModel, Place, load_content
from renderwright.engine.scene.assembly import Part, assembled
from renderwright.engine.scene.computed_models import (
    Swing,
    joint_places,
    jointed_rig,
    limb_influences,
    skinned_model,
    swinging_clip,
)
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.model import Model
from renderwright.engine.scene.shape_content import Shape, Vec3
from renderwright.render.suggest import did_you_mean


class JointContent(ContentModel):
    """A joint, ``at`` metres from its parent, which is listed before it; a root has none."""

    name: str
    parent: str = ""
    at: Vec3


class LimbContent(ContentModel):
    """Shapes that follow each of some joints, from whose place theirs count."""

    joints: Annotated[tuple[str, ...], Field(min_length=1)]
    shapes: Annotated[tuple[Shape, ...], Field(min_length=1)]


class SwingContent(ContentModel):
    """How a joint swings, as ``Swing``."""

    rest: Vec3 = (0.0, 0.0, 0.0)
    far: Vec3 = (0.0, 0.0, 0.0)
    often: float = 1.0
    late: float = 0.0


class ClipContent(ContentModel):
    """A clip of so many seconds in which joints swing."""

    seconds: Annotated[float, Field(gt=0.0)]
    swings: dict[str, SwingContent]


class FigureContent(ContentModel):
    """A figure of rigid limbs that bend at their joints."""

    joints: Annotated[tuple[JointContent, ...], Field(min_length=1)]
    limbs: Annotated[tuple[LimbContent, ...], Field(min_length=1)]
    clips: dict[str, ClipContent] = Field(default_factory=dict)

    def model(self, name: str, material: Material) -> Model:
        """The model of that name, with all clips."""
        depths: dict[str, int] = {}
        for joint in self.joints:
            depths[joint.name] = depths[joint.parent] + 1 if joint.parent else 0
        joints = sorted(self.joints, key=lambda joint: depths[joint.name])
        names = [joint.name for joint in joints]
        parents = np.array([names.index(joint.parent) if joint.parent else -1 for joint in joints], np.intp)
        rig = jointed_rig(names, parents, np.array([joint.at for joint in joints], np.float32))
        places = joint_places(rig)
        clips = [
            swinging_clip(
                clip, each.seconds, names, {joint: Swing(**vars(swing)) for joint, swing in each.swings.items()}
            )
            for clip, each in self.clips.items()
        ]
        parts: list[Part] = []
        owners: list[int] = []
        for limb in self.limbs:
            for number in (names.index(joint) for joint in limb.joints):
                for mesh, place, turn in (part for shape in limb.shapes for part in shape.parts()):
                    x, y, z = np.add(places[number], place).tolist()
                    parts.append((mesh, (x, y, z), turn))
                    owners += [number] * len(mesh.vertices)
        body = assembled(name, parts)
        return skinned_model(name, body, rig, clips, limb_influences(body, rig, np.array(owners, np.intp)), material)


def load_figure(file: Path) -> FigureContent:
    """The figure of a YAML file. Raises ``AssetError`` with file and line, also for joints that are not there."""
    content = load_content(file, FigureContent, "figure")
    known: list[str] = []
    for number, joint in enumerate(content.value.joints):
        if joint.name in known:
            raise content.error(f'two joints "{joint.name}"', "give each a name of its own", ("joints", number, "name"))
        if joint.parent:
            _check(content, joint.parent, known, ("joints", number, "parent"))
        known.append(joint.name)
    for number, limb in enumerate(content.value.limbs):
        for place, name in enumerate(limb.joints):
            _check(content, name, known, ("limbs", number, "joints", place))
    for clip, each in content.value.clips.items():
        for name in each.swings:
            _check(content, name, known, ("clips", clip, "swings", name))
    return content.value


def _check(content: Content[FigureContent], name: str, known: list[str], place: Place) -> None:
    if name not in known:
        raise content.error(f'unknown joint "{name}"', did_you_mean(name, known), place, key=True)
