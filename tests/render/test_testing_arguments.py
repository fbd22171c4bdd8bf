"""What a test gives to ``run_node`` is checked, and a mistake is told at the test's line."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pytest

from renderwright.engine import testing
from renderwright.render.errors import GraphError, RenderwrightError, UsageError
from renderwright.render.testing import run_node
from renderwright.render.types.resources import Buffer, Texture

pytestmark = pytest.mark.vulkan


@dataclass(frozen=True)
class Tint:
    color: tuple[float, float, float, float]


class Tinting(Protocol):
    color: tuple[float, float, float, float]


def copies(kind: Any) -> Callable[..., Any]:
    """A declare function of a node that reads a blob of a type."""

    def declare(reg: Any) -> Any:
        given, out = reg.read("given", kind), reg.create("out", object)

        def execute(cmd: Any) -> None:
            out.value = given.value

        return execute

    return declare


def sampling(reg: Any) -> Any:
    reg.read("picture").sampled()
    reg.create("out", Texture("rgba8_unorm", reg.resolution("main_view"))).color()
    return lambda cmd: None


def outside(reg: Any) -> Any:
    reg.external("picture", Texture("r32_sfloat", reg.resolution("main_view"))).sampled()
    reg.create("out", Texture("rgba8_unorm", reg.resolution("main_view"))).color()
    return lambda cmd: None


def remembering(reg: Any) -> Any:
    reg.history("picture").sampled()
    reg.create("picture", Texture("r32_sfloat", reg.resolution("main_view"))).color()
    return lambda cmd: None


def line_above() -> str:
    return f"{__file__}:{sys._getframe(1).f_lineno - 1}"


@pytest.mark.parametrize("run", [run_node, testing.run_node])
def test_a_value_of_another_type_is_named_with_the_one_that_the_node_reads(run: Callable[..., Any]) -> None:
    with pytest.raises(GraphError) as caught:
        run(copies(Tint), {"given": 3}, ["out"])
    assert str(caught.value.where) == line_above()
    assert caught.value.message == 'the input "given" is an int, the node reads a Tint'
    assert caught.value.hint == 'give a Tint: run_node(..., {"given": Tint(...)})'


def test_an_array_is_no_value_of_another_type() -> None:
    with pytest.raises(GraphError, match='the input "given" is an array, the node reads a Tint'):
        run_node(copies(Tint), {"given": np.zeros((4, 4), np.float32)}, ["out"])


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Tint, Tint((1.0,) * 4)),
        (object, 3),
        (float, 3),
        (list[int], [1]),
        (Tinting, Tint((1.0,) * 4)),
    ],
)
def test_values_that_fit_are_read(kind: Any, value: Any) -> None:
    assert run_node(copies(kind), {"given": value}, ["out"]) == {"out": value}


def test_a_class_is_no_value() -> None:
    with pytest.raises(GraphError) as caught:
        run_node(copies(Tint), {"given": Tint}, ["out"])
    assert caught.value.message == 'the input "given" is the class Tint, the node reads a Tint'


def test_an_unknown_output_is_told_at_the_line_of_the_test() -> None:
    with pytest.raises(GraphError, match='requests no "ot"') as caught:
        run_node(copies(Tint), {"given": Tint((1.0,) * 4)}, ["ot"])
    assert str(caught.value.where) == line_above()


@pytest.mark.parametrize("run", [run_node, testing.run_node])
def test_a_declare_function_of_other_arguments_is_refused(run: Callable[..., Any]) -> None:
    def pulse(reg: Any, settings: Any) -> None:
        """The settings have to be passed on."""

    with pytest.raises(GraphError) as caught:
        run(pulse, {}, [])
    assert str(caught.value.where) == line_above()
    assert caught.value.message == (
        "the declare function of run_node is pulse(reg, settings), but is called with one positional argument, reg"
    )
    assert "lambda reg: pulse(reg, settings)" in caught.value.hint


@pytest.mark.parametrize("run", [run_node, testing.run_node])
@pytest.mark.parametrize("declare", [None, 3])
def test_what_is_no_function_declares_no_node(run: Callable[..., Any], declare: Any) -> None:
    with pytest.raises(UsageError, match=f"declare of run_node cannot be {declare}"):
        run(declare, {}, [])


@pytest.mark.parametrize("run", [run_node, testing.run_node])
@pytest.mark.parametrize(("paths", "shown"), [(Path("glsl"), r"PosixPath\('glsl'\)"), ("glsl", "'glsl'"), (3, "3")])
def test_a_single_path_is_no_list_of_paths(run: Callable[..., Any], paths: Any, shown: str) -> None:
    with pytest.raises(UsageError, match=f"shader_paths of run_node cannot be {shown}") as caught:
        run(copies(Tint), {}, [], shader_paths=paths)
    assert str(caught.value.where) == line_above()
    assert caught.value.hint == "give a list of folders, such as [Path('glsl')]"


@pytest.mark.parametrize("declare", [outside, remembering])
@pytest.mark.parametrize("shape", [(16, 8), (16, 8, 4), (2, 16, 8, 4)])
def test_a_texture_with_height_and_width_swapped_is_refused(
    declare: Callable[..., Any], shape: tuple[int, ...]
) -> None:
    with pytest.raises(RenderwrightError) as caught:
        run_node(declare, {"picture": np.zeros(shape, np.float32)}, [], size=(16, 8))
    assert str(caught.value.where) == line_above()
    assert caught.value.message == (
        f'the input "picture" has the shape {shape}, with width and height swapped: the size is 16 x 8'
    )
    right = (*shape[:-3], 8, 16, *shape[-1:]) if len(shape) > 2 else (8, 16)
    assert caught.value.hint == f"give an array of the shape {right}: (height, width) come in this order"


@pytest.mark.parametrize("shape", [(16, 4), (16, 8), (16, 8, 4)])
def test_textures_of_other_sizes_are_inputs(shape: tuple[int, ...]) -> None:
    run_node(sampling, {"picture": np.zeros(shape, np.float32)}, ["out"], size=(16, 8))


def warming(reg: Any) -> Any:
    reg.history("heatwake/heat").sampled().bind("before")
    reg.create("heatwake/heat", Texture("r16_sfloat", reg.resolution("main_view", 0.5))).color()
    return lambda cmd: None


def test_an_output_that_is_given_is_told_from_its_history() -> None:
    with pytest.raises(GraphError) as caught:
        run_node(warming, {"heat": np.zeros((2, 2, 1), np.float16)}, ["heat"], size=(4, 4), name="heatwake/heat")
    assert str(caught.value.where) == line_above()
    assert caught.value.message == '"heatwake/heat" creates "heat": that is an output, no input'
    assert caught.value.hint == 'its history is the input "before"'


@pytest.mark.parametrize("shape", [(4, 4, 1), (2, 2, 4), (2, 3, 1)])
def test_a_history_of_another_shape_than_what_the_node_creates_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(GraphError) as caught:
        run_node(warming, {"before": np.zeros(shape, np.float32)}, ["heat"], size=(4, 4), name="heatwake/heat")
    assert str(caught.value.where) == line_above()
    assert "the history of what the node creates as 2 x 2 texels of r16_sfloat" in caught.value.message
    assert "(2, 2, 1)" in caught.value.hint
    run_node(warming, {"before": np.zeros((2, 2), np.float32)}, ["heat"], size=(4, 4), name="heatwake/heat")


@pytest.mark.parametrize(("dtype", "dimensions"), [(np.float64, 3), (np.float32, 5)])
def test_texels_that_no_texture_has_are_told_at_the_line_of_the_test(dtype: type, dimensions: int) -> None:
    with pytest.raises(GraphError) as caught:
        run_node(sampling, {"picture": np.zeros((4,) * dimensions, dtype)}, ["out"])
    assert str(caught.value.where) == line_above()
    assert (".astype(np.float32) converts" in caught.value.hint) == (dtype is np.float64)


@pytest.mark.parametrize("dtype", [np.float64, np.int64])
def test_a_buffer_of_numbers_that_no_shader_has_is_told_at_the_line_of_the_test(dtype: type) -> None:
    def summing(reg: Any) -> Any:
        reg.external("terms", Buffer(32)).storage_read("compute")
        reg.side_effects()
        return lambda cmd: None

    with pytest.raises(GraphError, match=f'the input "terms" is given an array of {np.dtype(dtype)}') as caught:
        run_node(summing, {"terms": np.zeros(4, dtype)}, [])
    assert str(caught.value.where) == line_above()


TYPES = "uint8, uint32, float16, float32"


@pytest.mark.parametrize("dtype", [np.float64, np.int64])
@pytest.mark.parametrize(
    ("shape", "channels"), [((4, 4), "1 channel"), ((4, 4, 3), "3 channels"), ((2, 4, 4, 4), "4 channels")]
)
def test_texels_of_a_type_that_no_texture_has_are_told_as_given(
    shape: tuple[int, ...], channels: str, dtype: type
) -> None:
    with pytest.raises(GraphError) as caught:
        run_node(sampling, {"picture": np.zeros(shape, dtype)}, ["out"])
    kind = np.dtype(dtype).name
    assert caught.value.message == f'the input "picture" has {channels} of type {kind}, which no texture format has'
    assert caught.value.hint.startswith(f"give 1 to 4 channels of {TYPES}; .astype(np.float32) converts")


@pytest.mark.parametrize("channels", [0, 5])
def test_a_number_of_channels_that_no_texture_has_is_told_as_given(channels: int) -> None:
    with pytest.raises(GraphError) as caught:
        run_node(sampling, {"picture": np.zeros((4, 4, channels), np.float32)}, ["out"])
    assert f"has {channels} channels of type float32, which no texture format has" in caught.value.message
    assert caught.value.hint == f"give 1 to 4 channels of {TYPES}"


def chained(reg: Any) -> Any:
    reg.chain("post_hdr")
    reg.create("past", Texture("rgba16_sfloat", reg.resolution("main_view"))).color()
    reg.history("past").sampled()
    return lambda cmd: None


@pytest.mark.parametrize("key", ["source", "past"])
def test_texels_that_no_texture_has_are_told_by_the_key_of_the_input(key: str) -> None:
    with pytest.raises(GraphError, match=f'the input "{key}" has 4 channels of type float64'):
        run_node(chained, {key: np.zeros((64, 64, 4), np.float64)}, ["past"])


@pytest.mark.parametrize(
    ("value", "shown"),
    [([[1.0, 2.0]], "a list"), (np.zeros(4, np.float32), "an array of 1 dimension"), (1.0, "a float")],
)
def test_what_is_no_array_of_texels_is_told_by_its_key(value: object, shown: str) -> None:
    with pytest.raises(
        GraphError, match=f'the input "picture" is {shown}, and the node uses it as a texture'
    ) as caught:
        run_node(sampling, {"picture": value}, ["out"])
    assert "(height, width, channels)" in caught.value.hint
    assert caught.value.where is not None
    assert caught.value.where.file == __file__


@dataclass
class Glow:
    half_life: float = 1.0


def test_a_misspelt_attribute_in_execute_is_told_by_its_line() -> None:
    def glow(reg: Any) -> Any:
        out = reg.create("out", object)

        def execute(cmd: Any) -> None:
            out.value = Glow().halflife  # type: ignore[attr-defined]

        return execute

    with pytest.raises(GraphError, match=r"\"embers/glow\" failed in execute: 'Glow' object has no") as caught:
        run_node(glow, {}, ["out"], name="embers/glow")
    assert str(caught.value.where) == f"{__file__}:{glow.__code__.co_firstlineno + 4}"
    assert caught.value.hint == 'did you mean "half_life"?'


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_mistake_that_a_library_finds_in_execute_is_told_by_the_line_that_calls_it(
    elsewhere: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if elsewhere:  # libraries are not where pip would put others
        monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path / name))

    def solve(reg: Any) -> Any:
        out = reg.create("out", object)

        def execute(cmd: Any) -> None:
            out.value = np.linalg.inv(np.zeros((2, 2)))

        return execute

    with pytest.raises(GraphError, match="Singular matrix") as caught:
        run_node(solve, {}, ["out"])
    assert str(caught.value.where) == f"{__file__}:{solve.__code__.co_firstlineno + 4}"


@pytest.mark.parametrize("run", [run_node, testing.run_node])
def test_a_shader_that_is_in_no_folder_names_the_argument(run: Callable[..., Any]) -> None:
    def drawing(reg: Any) -> Any:
        reg.create("out", Texture("rgba8_unorm", reg.resolution("main_view"))).color()
        pipeline = reg.graphics("tint_of_tests.frag")
        return lambda cmd: cmd.draw(pipeline)

    with pytest.raises(RenderwrightError, match="shader tint_of_tests") as caught:
        run(drawing, {}, ["out"])
    assert "shader_paths=" in str(caught.value)
