#!/usr/bin/env python3
"""Writes the lists of docs/api-1.md from the code. ``tests/test_api_page.py`` holds the page against them.

.venv/bin/python scripts/api_page.py
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any

import yaml

from renderwright.engine.entry_points import HOOK_PREFIX
from renderwright.engine.plugins import PluginGraph, PluginHost, PluginInfo, find_plugins, hookspecs
from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.views import View, ViewSet
from renderwright.render import Commands, Registry
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.handles import ResourceHandle
from renderwright.render.graph.request_builder import RequestBuilder

REPOSITORY = Path(__file__).parents[1]
PAGE = REPOSITORY / "docs" / "api-1.md"
BLOCK = re.compile(r"(<!-- (\w+) -->\n```\w*\n)(.*?)(```\n)", re.DOTALL)
"""A list of the page: the comment that names it, its text, and the end."""

BLOCK_OF_TEXT = re.compile(r"(<!-- (\w+) -->\n)(.*?)(<!-- end -->\n)", re.DOTALL)
"""The same of a list that is no code."""

GLSL: dict[str, Set[str]] = {
    "engine/renderer/glsl/camera.glsl": frozenset(),
    "render/shaders/glsl/views.glsl": frozenset(),
    "render/shaders/glsl/constants.glsl": frozenset(),
    "render/shaders/glsl/color.glsl": frozenset(),
    "render/shaders/glsl/per_invocation.glsl": frozenset(),
    "engine/renderer/glsl/instances.glsl": frozenset({"Instance", "normal_matrix"}),
    "engine/renderer/glsl/camera_motion.glsl": frozenset({"CameraMotionOfView", "camera_motion", "motion_between"}),
    "engine/renderer/glsl/lighting.glsl": frozenset({"sky_color", "sky_irradiance", "lit"}),
    "engine/renderer/glsl/sun_maps.glsl": frozenset({"sun_reaches", "sun_reaches_surface"}),
    "engine/renderer/glsl/air_volume.glsl": frozenset({"air_volume_along"}),
}
"""The files that shaders of plugins may include, with the names that are for plugins (none: all)."""
NAMES: Mapping[str, str] = {
    "renderwright.render": "Background Background.start Background.advance Background.wait Background.close "
    "Background.provider Buffer Commands Declare Execute Extent ExternalContext FORMATS PhysicalTexture PipelineHandle "
    "Registry RenderwrightError Resolution Resolution.scaled Revision Revision.advance SourceLocation Texture "
    "TextureInfo Usage UsageError VertexLayout run_once",
    "renderwright.render.backend.interop": "Interop Interop.name Interop.instance_extensions Interop.physical_device "
    "Interop.device_extensions Interop.opened Interop.closing Interop.refused NativeDevice SharingBackend "
    "SharingBackend.native SharingBackend.adopt_texture SharingBackend.create_texture SharingBackend.destroy "
    "SharingBackend.wait_idle",
    "renderwright.engine.plugins": "PluginGraph PluginInfo SceneChange hookimpl",
    "renderwright.engine.renderer.blobs": "CameraView CameraView.of CameraView.jittered LightSet LightSet.of",
    "renderwright.engine.renderer.motion": "CameraMotion CameraMotion.between",
    "renderwright.engine.renderer.geometry": "MeshPipelines MeshPipelines.declare draw_scene request_scene",
    "renderwright.engine.renderer.culling": "Frusta Frusta.of cull_scene",
    "renderwright.engine.renderer.environment": "request_environment",
    "renderwright.engine.renderer.sun_maps": "SunMapPlace SunMapTarget SunMapTarget.casts SunMapTarget.matrix SunMaps "
    "request_sun_map request_sun_maps",
    "renderwright.engine.renderer.lights.clusters": "request_lights",
    "renderwright.engine.views": "Frustum Frustum.symmetric Frustum.part Frustum.projection Rectangle Rectangle.of "
    "Rectangle.aspect Rectangle.within Split Split.count Split.part View View.of ViewSet ViewSet.of ViewSet.showing "
    "ViewSet.split ViewSet.at ViewSet.whole",
    "renderwright.engine.scene": "Camera Camera.frustum Camera.view Camera.projection Camera.forward Group "
    "Group.positions Group.rotations Group.scales Group.visible Group.casts_shadow Group.layers Group.set_surface "
    "Group.snap Mesh Mesh.positions Mesh.normals Mesh.indices SurfaceShader",
    "renderwright.engine.scene.placements": "Placed Placed.table Placed.examples PlacedImages PlacedRows PlacedTable "
    "PlacedTable.__len__ PlacedTable.__contains__ PlacedTable.add PlacedTable.remove PlacedTable.clear "
    "PlacedTable.end_step PlacedTable.rows",
    "renderwright.engine.scene.primitives": "box capsule cone cylinder plane sphere torus",
    "renderwright.engine.sprites": "Text",
    "renderwright.engine.testing": "CameraView LightSet PlayedGame PlayedGame.close PlayedGame.game PlayedGame.input "
    "PlayedGame.nodes PlayedGame.picture PlayedGame.plan PlayedGame.resize PlayedGame.session PlayedGame.texture "
    "assert_alike run_node",
    "renderwright.engine.testing.fixtures": "alike device node_results played",
    "renderwright.engine": "Camera Entity Entity.name Entity.number Entity.transform Game Game.title Game.skeleton "
    "Game.plugins Game.step Game.min_players Game.max_players Game.fonts Game.anisotropy Game.culling Game.occlusion "
    "Game.controls Game.context Game.setup Game.update Game.draw Game.close GameContext GameContext.load_model "
    "GameContext.request_quit GameRunner GameRunner.start GameRunner.frame GameRunner.close Hud Hud.width Hud.height "
    "Hud.text Hud.rect Hud.image Material Transform Transform.matrix Transform.copy",
    "renderwright.engine.input": "InputSource InputSource.feed InputState InputState.press InputState.release "
    "InputState.set_axis InputState.move_mouse InputState.scroll_mouse InputState.axis InputState.held "
    "InputState.pressed InputState.released",
    "renderwright.engine.recording": "recorded",
    "renderwright.engine.cli": "main",
}
"""The names that plugins, and the games of their tests, may import, by module, and members of classes.

The fields of a data class are parameters of its signature.
"""
_WITHOUT_SIGNATURE = frozenset(
    {"Commands", "Game", "Group", "LightSet", "PipelineHandle", "PluginGraph", "Registry", "SunMapTarget", "Usage"}
)
"""Classes that nobody makes, or only in a way that another list has."""
_OF_THE_RUNTIME = {"bind_physical", "build", "finish", "from_frames_ago", "given_as", "renamed_to", "start"}
"""Methods that plugins do not call."""
_DECLARED = re.compile(
    r"^(?:(?P<function>\w+ (?P<name>\w+)\([^)]*\)) \{|(?P<constant>const \w+ \w+) ="
    r"|(?P<macro>#define (?P<defined>\w+)(?:\([^)]*\))?)|struct (?P<struct>\w+) \{(?P<members>.*?)^\};)",
    re.MULTILINE | re.DOTALL,
)


def lists() -> dict[str, str]:
    """The lists by name, each a text of lines."""
    found = {
        "names": list(_names()),
        "hooks": _functions(_hooks()),
        "plugin": [_signature(PluginInfo, "PluginInfo"), *_members(PluginGraph, "graph", {"add_node"})],
        "requests": _members(Registry, "reg"),
        "usages": _members(RequestBuilder, "", exclude=set(vars(ResourceHandle)) - {"extent"}),
        "handles": _members(ResourceHandle, "handle"),
        "commands": [*_members(Commands, "cmd"), *(f"cmd.{name}" for name in _attributes_of_commands())],
        "blobs": [_blob(kind) for kind in (CameraView, View, ViewSet)],
        "glsl": [line for file, wanted in GLSL.items() for line in _glsl(REPOSITORY / file, wanted)],
        "resources": [line for name in ("deferred", "forward", "flat") for line in _resources(name)],
        "chains": _chains(),
    }
    return {name: "".join(f"{line}\n" for line in lines) for name, lines in found.items()}


def differences(page: str) -> list[str]:
    """The lines that only the page has, with ``-``, and those that only the code has, with ``+``."""
    now, shown = lists(), {block[2]: block[3] for block in BLOCK.finditer(page)}
    lines = []
    for name, text in now.items():
        before, after = shown.get(name, "").splitlines(), text.splitlines()
        lines += [f"- {name}: {line}" for line in before if line not in after]
        lines += [f"+ {name}: {line}" for line in after if line not in before]
    return lines


def rewritten(page: str) -> str:
    """The page with the lists of the code."""
    now = lists()
    return BLOCK.sub(lambda block: block[1] + now[block[2]] + block[4], page)


def imported(texts: Iterable[str]) -> set[tuple[str, str]]:
    """The (module, name) pairs that Python texts import from renderwright."""
    return {
        (node.module, alias.name)
        for text in texts
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("renderwright.")
        for alias in node.names
    }


def promised() -> set[tuple[str, str]]:
    """The (module, name) pairs that the page lists."""
    return {(module, name) for module, names in NAMES.items() for name in names.split()}


def _names() -> Iterator[str]:
    homes: dict[object, str] = {}
    for module, names in NAMES.items():
        for name in names.split():
            owner, _, member = name.partition(".")
            found = getattr(import_module(module), owner)
            if member:
                line = _member(found, owner, member)
            elif inspect.isclass(found) and found in homes:
                line = f"{name}, the one of {homes[found]}"
            else:
                line = _with_signature(found, name)
                if inspect.isclass(found):
                    homes[found] = module
            yield f"{module}: {line}"


def _with_signature(found: Any, name: str) -> str:
    made = inspect.isclass(found) and not getattr(found, "_is_protocol", False) and "__init__" in dir(found)
    return _signature(found, name) if inspect.isfunction(found) or (made and name not in _WITHOUT_SIGNATURE) else name


def _hooks() -> Iterator[Callable[..., Any]]:
    for name, hook in vars(hookspecs).items():
        if name.startswith(HOOK_PREFIX):
            yield hook


def _functions(functions: Iterable[Callable[..., Any]]) -> list[str]:
    return [_signature(function, function.__name__) for function in functions]


def _members(kind: type, prefix: str, only: Set[str] = frozenset(), exclude: Set[str] = frozenset()) -> list[str]:
    """The public methods and properties of a class, in the order of the code."""
    return [line for name, line in members(kind, prefix) if name not in exclude and (not only or name in only)]


def members(kind: type, prefix: str) -> Iterator[tuple[str, str]]:
    """The public methods and properties that plugins use of a class: name and signature, in the order of the code."""
    classes = [each for each in reversed(kind.__mro__) if each is not object]
    for name in dict.fromkeys(name for each in classes for name in vars(each) if not name.startswith("_")):
        method = isinstance(inspect.getattr_static(kind, name), property | classmethod | FunctionType)
        if method and name not in _OF_THE_RUNTIME:
            yield name, _member(kind, prefix, name)


def _member(kind: type, prefix: str, name: str) -> str:
    """A method, property or attribute of a class."""
    full, member = f"{prefix}.{name}", inspect.getattr_static(kind, name, None)
    if isinstance(member, property):
        settable = " (can be set)" if member.fset is not None else ""
        return f"{full}: {inspect.signature(member.fget).return_annotation}{settable}"  # type: ignore[arg-type]
    if callable(member) or isinstance(member, classmethod):
        return _signature(getattr(kind, name), full)
    annotation = kind.__annotations__[name]
    if annotation.startswith("ClassVar["):
        annotation = annotation.removeprefix("ClassVar[").removesuffix("]")
    return f"{full}: {annotation}"


def _signature(function: Callable[..., Any], name: str) -> str:
    """``name(parameter: Type = default) -> Result`` without ``self``."""
    signature = inspect.signature(function)
    shown: list[str] = []
    for parameter in signature.parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not any(each.startswith("*") for each in shown):
            shown.append("*")
        shown.append(_parameter(parameter))
    result = signature.return_annotation
    returns = "" if result in (inspect.Signature.empty, None, "None") else f" -> {result}"
    return f"{name}({', '.join(shown)}){returns}"


def _parameter(parameter: inspect.Parameter) -> str:
    stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    default = parameter.default
    if default is inspect.Parameter.empty:
        typed = "" if parameter.annotation is inspect.Parameter.empty else f": {parameter.annotation}"
        return f"{stars}{parameter.name}{typed}"
    made = repr(default) == "<factory>"
    quoted = f'"{default}"' if isinstance(default, str) else "..." if made else str(default)
    return f"{parameter.name}: {parameter.annotation} = {quoted}"


def _attributes_of_commands() -> list[str]:
    """What an instance has besides methods."""
    created = Commands(None, (), 0, {}, None, {})  # type: ignore[arg-type]
    return [name for name in vars(created) if not name.startswith("_")]


def _blob(kind: type) -> str:
    return f"{kind.__name__}: " + ", ".join(f"{field.name}: {field.type}" for field in fields(kind))


def _glsl(file: Path, wanted: Set[str]) -> Iterator[str]:
    """The declarations of a file, each once."""
    for line in dict.fromkeys(_declarations(file.read_text(encoding="utf-8"), wanted)):
        yield f"{file.name}: {line}"


def _declarations(text: str, wanted: Set[str]) -> Iterator[str]:
    for found in _DECLARED.finditer(text):
        name = found["name"] or found["struct"] or found["defined"] or ""
        if wanted and name not in wanted:
            continue
        if found["struct"]:
            members = re.findall(r"^\s*([^/\n;]+);", found["members"], re.MULTILINE)
            yield f"struct {name} {{ {'; '.join(' '.join(member.split()) for member in members)} }}"
        else:
            yield " ".join((found["function"] or found["constant"] or found["macro"]).split())


def _resources(skeleton: str) -> Iterator[str]:
    """The resources that a shipped skeleton creates."""
    graph = yaml.safe_load((REPOSITORY / "skeleton_graphs" / f"{skeleton}.yaml").read_text(encoding="utf-8"))
    for node in graph["nodes"]:
        for name, made in {**node.get("create", {}), **node.get("external", {})}.items():
            yield f"{skeleton}: {name}, {made['texture']} of {made['resolution']}, by {node['name']}"
        for name, renamed in node.get("rename", {}).items():
            yield f"{skeleton}: {renamed['to']}, once {name}, by {node['name']}"
    for name, chain in graph["chains"].items():
        yield f"{skeleton}: chain {name} from {chain['input']} to {chain['output']}"


def _chains() -> list[str]:
    """The members that shipped plugins have in chains, in order, by chain and priority."""
    graph = FrameGraph()
    own = [plugin for plugin in find_plugins() if plugin.module.startswith("renderwright.plugins.")]
    PluginHost(graph, found=own, environment={}, strict=True).start()
    failures = graph.declare()
    assert not failures, failures
    members = sorted(
        (member.chain, -member.priority, name)
        for name in graph.node_names
        for member in graph.declared(name).declaration.chains
    )
    return [f"{chain} {-priority}: {name}" for chain, priority, name in members]


if __name__ == "__main__":
    PAGE.write_text(rewritten(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
