from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from renderwright.render.errors import MissingToolError
from renderwright.render.shaders import ShaderCache, ShaderSource, compile_batch, expand, glslc, reflect
from renderwright.render.shaders.compiler import shader_key
from renderwright.render.types.usages import ShaderStage

GOOD = "#version 450\nlayout(location = 0) out vec4 o;\nvoid main() { o = vec4(1.0); }\n"
BAD = "#version 450\nvoid main() {\n\tint x = brightnes + 1;\n}\n"
COMPUTE = "#version 450\nlayout(local_size_x = 8) in;\nvoid main() {}\n"


@pytest.fixture
def cache(tmp_path):
    return ShaderCache(tmp_path / "cache")


@pytest.fixture
def processes(monkeypatch):
    """The command lines that were run."""
    commands = []
    run = subprocess.run

    def counted(command, **options):
        commands.append(command)
        return run(command, **options)

    monkeypatch.setattr(subprocess, "run", counted)
    return commands


def compile_runs(processes):
    return [command for command in processes if "-c" in command]


def test_stages_compile_in_one_process(cache, processes):
    vertex = "#version 450\nvoid main() { gl_Position = vec4(0.0); }\n"
    sources = [
        ShaderSource(ShaderStage.VERTEX, "a.vert", vertex),
        ShaderSource(ShaderStage.FRAGMENT, "a.frag", GOOD),
        ShaderSource(ShaderStage.COMPUTE, "a.comp", COMPUTE),
        ShaderSource(ShaderStage.FRAGMENT, "copy.frag", GOOD),
    ]
    results = compile_batch(sources, cache)
    assert [result.source for result in results] == sources
    for result in results:
        assert result.error is None
        assert not result.cached
        assert reflect(result.spirv, result.source.stage, "", "").stage is result.source.stage
    assert results[1].key == results[3].key
    assert len(compile_runs(processes)) == 1


def test_one_bad_shader_does_not_fail_the_others(cache, processes):
    sources = [
        ShaderSource(ShaderStage.FRAGMENT, "good.frag", GOOD),
        ShaderSource(ShaderStage.FRAGMENT, "bad.frag", BAD, node="fog/apply"),
        ShaderSource(ShaderStage.FRAGMENT, "worse.frag", "#version 450\n#error no\n"),
        ShaderSource(ShaderStage.COMPUTE, "good.comp", COMPUTE),
    ]
    good, bad, worse, compute = compile_batch(sources, cache)
    assert good.spirv
    assert compute.spirv
    assert not bad.spirv
    assert "brightnes" not in str(worse.error)
    assert "no" in worse.error.message
    assert len(compile_runs(processes)) == 3
    assert str(bad.error) == (
        "bad.frag:3: shader bad.frag of node \"fog/apply\" does not compile: 'brightnes' : undeclared identifier\n"
        "    3 | \tint x = brightnes + 1;\n"
        "      | \t        ^\n"
        "bad.frag:3: '=' :  cannot convert from ' temp float' to ' temp highp int'\n"
        "  declare it before its use, or #include the file that does"
    )


def test_errors_are_mapped_to_the_included_file(cache, write):
    lib = write("lib/noise.glsl", "\n\nfloat noise() { return nois; }\n")
    root = write("a.frag", '#version 450\n#include "noise.glsl"\nvoid main() { float x = 1.0 }\n')
    text = expand(root, (lib.parent,), (("A", "1"),)).text
    error = compile_batch([ShaderSource(ShaderStage.FRAGMENT, str(root), text)], cache)[0].error
    assert error.where.file == str(lib)
    assert error.where.line == 3
    assert "    3 | float noise() { return nois; }" in error.message
    assert f"{root}:3: " in error.message
    assert "    3 | void main() { float x = 1.0 }" in error.message


def _error_behind(inner: str, cache, write):
    """The error of a shader with an included file of that text."""
    write("inner.glsl", inner)
    root = write("a.frag", '#version 450\n#include "inner.glsl"\n\n// main\nvoid main() {}\n')
    return compile_batch([ShaderSource(ShaderStage.FRAGMENT, str(root), expand(root, ()).text)], cache)[0].error


def test_a_condition_that_an_included_file_leaves_open_is_told_at_its_line(cache, write):
    error = _error_behind("#if A\n#endif\n// #endif\n#if A\n#ifdef B\n#endif\nint x;\n", cache, write)
    assert (Path(error.where.file).name, error.where.line) == ("inner.glsl", 4)
    assert error.message == "shader a.frag does not compile: this #if has no #endif\n    4 | #if A"


def test_a_syntax_error_behind_an_include_names_the_file_that_may_end_too_early(cache, write):
    error = _error_behind("float f(float x)\n", cache, write)
    assert (Path(error.where.file).name, error.where.line) == ("a.frag", 5)
    assert error.hint == "correct the GLSL here or at the end of inner.glsl, which is included right before"


def test_a_syntax_error_within_an_included_file_names_that_alone(cache, write):
    error = _error_behind("int x = ;\n", cache, write)
    assert (Path(error.where.file).name, error.where.line) == ("inner.glsl", 1)
    assert "included" not in error.hint


def test_link_errors_name_the_shader(cache):
    text = "#version 450\nlayout(location = 0) out vec4 o;\nfloat f();\nvoid main() { o = vec4(f()); }"
    error = compile_batch([ShaderSource(ShaderStage.FRAGMENT, "link.frag", text)], cache)[0].error
    assert str(error.where) == "link.frag"
    assert "No function definition (body) found: f(" in error.message


@pytest.mark.parametrize(
    ("text", "line", "hint"),
    [
        ("\nvoid mian() {}\n", ":3", 'rename "mian"'),
        ("// no function\n", "", "define void main() { ... }"),
        ("void main();\n", "", "define void main() { ... }"),
        ("#ifdef MASKED\nvoid main() {}\n#endif\n", ":3", "a condition (#if) or a comment hides it here"),
        ("/*\nvoid main() {}\n*/\n", ":3", "a condition (#if) or a comment hides it here"),
    ],
)
def test_a_shader_without_main_is_told_so(cache, text, line, hint):
    source = ShaderSource(ShaderStage.FRAGMENT, "a.frag", f"#version 450\n{text}", node="fog/apply")
    error = compile_batch([source], cache)[0].error
    assert str(error.where) == f"a.frag{line}"
    assert error.message == 'shader a.frag of node "fog/apply" does not compile: void main() is missing'
    assert hint in error.hint


def test_a_cache_hit_runs_no_process(cache, monkeypatch):
    sources = [ShaderSource(ShaderStage.FRAGMENT, "a.frag", GOOD)]
    first = compile_batch(sources, cache)[0]

    def forbidden(*args, **kwargs):
        raise AssertionError("a process was started")

    monkeypatch.setattr(subprocess, "run", forbidden)
    second = compile_batch(sources, cache)[0]
    assert second.cached
    assert second.spirv == first.spirv


def test_a_refused_shader_is_not_cached(cache):
    sources = [ShaderSource(ShaderStage.FRAGMENT, "bad.frag", BAD)]
    assert compile_batch(sources, cache)[0].error
    assert compile_batch(sources, cache)[0].error
    assert not cache.folder.exists() or not list(cache.folder.iterdir())


def test_the_key_depends_on_all_that_decides_the_code():
    base = ShaderSource(ShaderStage.FRAGMENT, "a", GOOD)
    keys = {
        shader_key(base, "1"),
        shader_key(base, "2"),
        shader_key(ShaderSource(ShaderStage.VERTEX, "a", GOOD), "1"),
        shader_key(ShaderSource(ShaderStage.FRAGMENT, "a", GOOD + " "), "1"),
    }
    assert len(keys) == 4
    assert shader_key(ShaderSource(ShaderStage.FRAGMENT, "b", GOOD, "node"), "1") in keys


def test_missing_compiler(cache, monkeypatch):
    monkeypatch.setenv("PATH", "")
    error = compile_batch([ShaderSource(ShaderStage.FRAGMENT, "a.frag", GOOD, node="a/b")], cache)[0].error
    assert isinstance(error, MissingToolError)
    assert error.message == (
        'shader a.frag of node "a/b" does not come compiled, and the compiler glslc is not installed'
    )
    assert "apt install glslc" in error.hint


def test_no_room_for_temporary_files_is_no_shaders_fault(cache, monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    error = compile_batch([ShaderSource(ShaderStage.FRAGMENT, "a.frag", GOOD, node="a/b")], cache)[0].error
    assert isinstance(error, MissingToolError)
    assert error.message == "shaders cannot be compiled: No such file or directory"
    assert "TMPDIR" in error.hint


def test_a_cache_outlives_its_compiler(cache, monkeypatch):
    sources = [ShaderSource(ShaderStage.FRAGMENT, "a.frag", GOOD), ShaderSource(ShaderStage.COMPUTE, "a.comp", COMPUTE)]
    compiled = compile_batch(sources[:1], cache)[0]
    monkeypatch.setenv("PATH", "")
    known, unknown = compile_batch(sources, cache)
    assert known.cached
    assert known.spirv == compiled.spirv
    assert isinstance(unknown.error, MissingToolError)


@pytest.mark.parametrize(
    ("end", "words"),
    [("kill -SEGV $$", "SIGSEGV"), ("exit 139", "SIGSEGV"), ("kill -KILL $$", "SIGKILL"), ("exit 3", "exit code 3")],
)
def test_a_crash_of_the_compiler_names_signal_shader_and_a_way_out(cache, monkeypatch, tmp_path, end, words):
    tools = tmp_path / "tools"
    tools.mkdir()
    fake = tools / "glslc"
    fake.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo fake && exit 0\necho half > "$5.spv"\n{end}\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:/usr/bin:/bin")
    result = compile_batch([ShaderSource(ShaderStage.FRAGMENT, "a.frag", GOOD, node="fog/apply")], cache)[0]
    assert not result.spirv
    message = result.error.message
    assert message.startswith('shader a.frag of node "fog/apply" does not compile: the compiler glslc failed')
    assert words in message
    assert "leave out statements until it compiles" in result.error.hint
    assert "newer glslc" in result.error.hint


def test_validation_refuses_and_can_be_turned_off(cache, monkeypatch):
    source = ShaderSource(ShaderStage.FRAGMENT, "a.frag", GOOD)
    garbage = b"\x03\x02#\x07" + bytes(16)
    monkeypatch.setattr(
        "renderwright.render.shaders.compiler.compile_files", lambda _, files: dict.fromkeys(files, garbage)
    )
    monkeypatch.delenv("RENDERWRIGHT_SPIRV_VAL", raising=False)
    error = compile_batch([source], cache)[0].error
    assert "spirv-val rejects" in error.message
    assert "RENDERWRIGHT_SPIRV_VAL=0" in error.hint
    monkeypatch.setenv("RENDERWRIGHT_SPIRV_VAL", "0")
    assert compile_batch([source], cache)[0].spirv == garbage


def test_version_is_asked_once_per_binary(processes):
    binary = glslc.find_glslc()
    version = glslc.glslc_version(binary)
    processes.clear()
    assert glslc.glslc_version(binary) == version
    assert "shaderc" in version
    assert processes == []


def test_wrong_arguments_are_not_taken_for_a_missing_declaration(cache):
    text = (
        "#version 450\nlayout(binding = 0) uniform sampler2DArray source;\nlayout(location = 0) out vec4 o;\n"
        "void main() { o = texture(source, vec2(0.5)); }\n"
    )
    error = compile_batch([ShaderSource(ShaderStage.FRAGMENT, "a.frag", text)], cache)[0].error
    assert error.where.line == 4
    assert error.hint.startswith("check the number and the types of its arguments: a sampler2D takes a vec2")
