"""A field of a description cannot be assigned, and the message says what to write instead."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import pytest

from renderwright.engine.scene import Coat, Environment, Material, Panorama, Sheen, Sky, Specular
from renderwright.plugins.particles import Collision, Particles
from renderwright.render.errors import UsageError

VALUES = (
    (Sky(), "intensity", 0, "scene.sky = dataclasses.replace(scene.sky, intensity=0)"),
    (Environment(Panorama.of_sky(Sky(), 2)), "turn", 1.5, "dataclasses.replace(scene.environment, turn=1.5)"),
    (Material(), "roughness", 0.2, "entity.material = dataclasses.replace(entity.material, roughness=0.2)"),
    (Coat(), "strength", 0.5, "dataclasses.replace(coat, strength=0.5), and give it to a Material"),
    (Sheen(), "roughness", 0.5, "dataclasses.replace(sheen, roughness=0.5)"),
    (Specular(), "ior", 1.3, "dataclasses.replace(specular, ior=1.3)"),
    (Particles(), "drag", 1.0, "dataclasses.replace(particles, drag=1.0), and place an Emitter"),
    (Collision(), "dies", True, "dataclasses.replace(collision, dies=True)"),
)


@pytest.mark.parametrize(("value", "field", "new", "hint"), VALUES, ids=[type(value[0]).__name__ for value in VALUES])
def test_another_value_takes_its_place(value: object, field: str, new: object, hint: str) -> None:
    before = getattr(value, field)
    with pytest.raises(UsageError) as refused:
        setattr(value, field, new)
    kind = type(value).__name__
    assert refused.value.message.startswith(f"{kind}.{field} cannot be assigned: a")
    assert hint in refused.value.hint
    assert refused.value.where is not None
    assert refused.value.where.file == __file__
    with pytest.raises(UsageError):
        delattr(value, field)
    assert getattr(value, field) == before
    assert getattr(dataclasses.replace(value, **{field: new}), field) == new  # type: ignore[type-var]


def test_values_still_compare_copy_and_pickle() -> None:
    sky = Sky(intensity=0.5)
    assert copy.deepcopy(sky) == sky == pickle.loads(pickle.dumps(sky))
    assert len({Material(), Material(), Material(roughness=0.1)}) == 2


def test_a_hint_for_an_unknown_field_names_one_that_exists() -> None:
    with pytest.raises(UsageError) as refused:
        Material().color = (1, 0, 0)  # type: ignore[attr-defined]
    assert refused.value.message == "Material.color cannot be assigned: a Material has no such field"
    assert 'did you mean "base_color"?' in refused.value.hint
    assert "entity.material = dataclasses.replace(entity.material, base_color=...)" in refused.value.hint
    with pytest.raises(UsageError) as refused:
        Sky().made_at = None  # type: ignore[attr-defined]
    assert refused.value.hint == "known: ground, horizon, intensity, zenith"
    with pytest.raises(UsageError, match="no such field"):
        Material().made_at = None  # type: ignore[misc]
