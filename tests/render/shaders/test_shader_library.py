from __future__ import annotations

import os
import subprocess
from dataclasses import replace

import pytest

from renderwright.render.errors import ShaderError
from renderwright.render.shaders import ShaderCache, ShaderLibrary, ShaderModule, ShaderRequest
from renderwright.render.types.usages import ShaderStage

FRAG = "layout(location = 0) out vec4 o;\nvoid main() { o = vec4(VALUE); }\n"
REQUEST = ShaderRequest(ShaderStage.FRAGMENT, "a.frag", defines=(("VALUE", "1.0"),), node="fog/apply")


@pytest.fixture
def library(tmp_path):
    return ShaderLibrary([tmp_path / "shaders"], ShaderCache(tmp_path / "cache"))


@pytest.fixture
def compiles(monkeypatch):
    """The runs of the compiler so far."""
    commands = []
    run = subprocess.run

    def counted(command, **options):
        if "-c" in command:
            commands.append(command)
        return run(command, **options)

    monkeypatch.setattr(subprocess, "run", counted)
    return commands


def test_loads_everything_in_one_batch_and_remembers(library, write, compiles):
    file = write("shaders/a.frag", FRAG)
    other = replace(REQUEST, defines=(("VALUE", "2.0"),))
    vertex = ShaderRequest(ShaderStage.VERTEX, "fullscreen.vert")
    loaded = library.load([REQUEST, other, vertex, REQUEST])
    assert list(loaded) == [REQUEST, other, vertex]
    assert all(isinstance(module, ShaderModule) for module in loaded.values())
    assert loaded[REQUEST].file == str(file)
    assert loaded[REQUEST].outputs == (0,)
    assert loaded[REQUEST].key != loaded[other].key
    assert len(compiles) == 1
    again = library.load([replace(REQUEST, node="other/node")])
    assert next(iter(again.values())) is loaded[REQUEST]
    assert len(compiles) == 1


def test_another_library_uses_the_disk(library, write, compiles):
    write("shaders/a.frag", FRAG)
    first = library.load([REQUEST])[REQUEST]
    other = ShaderLibrary(library.search_paths, library.cache)
    assert other.load([REQUEST])[REQUEST] == first
    assert len(compiles) == 1


def test_errors_stand_beside_modules(library, write):
    write("shaders/a.frag", FRAG)
    write("shaders/broken.frag", "void main() { nothing(); }")
    write("shaders/include.frag", '#include "colour.glsl"\nvoid main() {}')
    broken, include, missing = (replace(REQUEST, file=name) for name in ("broken.frag", "include.frag", "b.frag"))
    loaded = library.load([missing, REQUEST, broken, include])
    assert isinstance(loaded[REQUEST], ShaderModule)
    assert 'shader broken.frag of node "fog/apply" does not compile' in str(loaded[broken])
    assert "    1 | void main() { nothing(); }" in str(loaded[broken])
    assert 'node "fog/apply": the include "colour.glsl" does not exist' in str(loaded[include])
    assert 'did you mean "color.glsl"?' in str(loaded[include])
    assert loaded[include].where.line == 1
    assert 'shader b.frag of node "fog/apply": the file does not exist' in str(loaded[missing])
    assert str(library.search_paths[0]) in loaded[missing].hint


def test_search_order(library, write, tmp_path):
    write("shaders/a.frag", FRAG)
    own = write("plugin/a.frag", FRAG)
    write("more/b.frag", FRAG)
    preferred = replace(REQUEST, search=(str(tmp_path / "plugin"),))
    absolute = replace(REQUEST, file=str(own))
    late = replace(REQUEST, file="b.frag")
    loaded = library.load([REQUEST, preferred, absolute, late])
    assert loaded[REQUEST].file == str(tmp_path / "shaders/a.frag")
    assert loaded[preferred].file == loaded[absolute].file == str(own)
    assert isinstance(loaded[late], ShaderError)
    library.add_path(tmp_path / "more")
    assert isinstance(library.load([late])[late], ShaderModule)


def test_a_changed_include_is_compiled_again(library, write, compiles):
    write("shaders/a.frag", f'#include "value.glsl"\n{FRAG}'.replace("VALUE", "value()"))
    include = write("shaders/value.glsl", "float value() { return 1.0; }")
    first = library.load([REQUEST])[REQUEST]
    assert library.load([REQUEST])[REQUEST] is first
    include.write_text("float value() { return 2.0; }")
    os.utime(include, ns=(1, 1))
    second = library.load([REQUEST])[REQUEST]
    assert second.key != first.key
    assert len(compiles) == 2
    include.unlink()
    assert isinstance(library.load([REQUEST])[REQUEST], ShaderError)


def test_source_is_the_expanded_text(library, write):
    write("shaders/a.frag", FRAG)
    text = library.source(REQUEST).text
    assert text.startswith("#version 450\n")
    assert "#define VALUE 1.0" in text
    with pytest.raises(ShaderError, match="does not exist"):
        library.source(replace(REQUEST, file="none.frag"))


def test_unreadable_file_is_a_shader_error(library, tmp_path):
    (tmp_path / "shaders" / "a.frag").mkdir(parents=True)
    assert "does not exist" in str(library.load([REQUEST])[REQUEST])


def test_own_glsl_compiles(library, write):
    write(
        "shaders/all.frag",
        '#include "color.glsl"\n#include "constants.glsl"\nlayout(location = 0) in vec2 uv;\n'
        "layout(location = 0) out vec4 o;\n"
        "void main() { o = vec4(srgb_to_linear(linear_to_srgb(vec3(uv, PI))), luminance(vec3(EPSILON))); }",
    )
    request = replace(REQUEST, file="all.frag")
    assert library.load([request])[request].outputs == (0,)


def test_what_is_raised_between_steps_ends_the_load(library, write, compiles):
    write("shaders/a.frag", FRAG)

    def stop():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        library.load([REQUEST], stop)
    assert not compiles
    steps = []
    library.load([REQUEST], lambda: steps.append(len(compiles)))
    assert steps == [0, 1]
