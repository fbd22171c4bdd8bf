"""The example of docs/probes.md works as it stands."""

from __future__ import annotations

import re
from pathlib import Path

from pyglm import glm

from renderwright.engine.renderer.probes.nodes import FACE
from renderwright.engine.scene import PointLight, Scene
from renderwright.engine.scene.probe import MOST_PROBES

PAGE = (Path(__file__).parents[1] / "docs" / "probes.md").read_text(encoding="utf-8")


def test_its_example_runs() -> None:
    scene = Scene()
    (block,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    names = {"scene": scene, "glm": glm, "lamp": scene.add_light(PointLight())}
    exec(compile(block, "docs/probes.md", "exec"), names)
    assert len(scene.probes) == 0
    assert names["hall"].position == glm.vec3(0.0, 1.5, 0.0)


def test_its_numbers_are_those_of_the_code() -> None:
    assert f"may have {MOST_PROBES} probes" in PAGE
    assert f"{FACE} x {FACE} texels" in PAGE
