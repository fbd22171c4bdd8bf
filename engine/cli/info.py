"""``renderwright info``: devices, tools and packages of this machine."""

from __future__ import annotations

import os
import platform

import click


@click.command(short_help="Show devices, tools and packages, and missing ones.")
def info() -> None:
    """Show devices, queues, layers, tools and package versions, and how to install missing ones."""
    print(f"Python {platform.python_version()} on {platform.platform()}")
    _show_vulkan()
    _show_opengl()
    _show_tools()
    _show_shaders()
    _show_packages()


def _show_vulkan() -> None:
    from renderwright.render.backend.missing_device import INSTALL_VULKAN
    from renderwright.render.errors import RenderwrightError

    print("\nVulkan devices")
    try:
        # This import loads the Vulkan loader, which may be missing.
        from renderwright.render.backend.vulkan.describe import describe_devices

        devices = describe_devices()
    except RenderwrightError as error:
        print(f"  none: {error.message}")
        if error.hint:
            print(f"  {error.hint}")
        return
    if not devices:
        print(f"  none: {INSTALL_VULKAN}")
    for device in devices:
        print(f"  {device.index}: {device.name} ({device.type}), Vulkan {device.api_version}, {device.driver}")
        print(f"     queues      {', '.join(device.queues)}")
        print(f"     extensions  {', '.join(device.extensions) or 'none that renderwright uses'}")
        if device.unused:
            print(f"     not used    {', '.join(device.unused)}: this driver version renders incorrectly with it")
        if device.lacks:
            print(f"     cannot be used: it lacks {', '.join(device.lacks)}")
    chosen = os.environ.get("RENDERWRIGHT_DEVICE")
    if chosen:
        print(f"  RENDERWRIGHT_DEVICE selects: {chosen}")
    layers = sorted({layer for device in devices for layer in device.layers})
    print("\nVulkan layers")
    for layer in layers:
        print(f"  {layer}")
    for limit in sorted({device.layer_limit for device in devices if device.layer_limit}):
        print(f"     with --validate --check {limit}")
    if "VK_LAYER_KHRONOS_validation" not in layers:
        print("  no validation; on Debian or Ubuntu: sudo apt install vulkan-validationlayers")


def _show_opengl() -> None:
    from renderwright.engine.backends import choose_backend
    from renderwright.engine.options import BackendName
    from renderwright.render.backend.opengl.context import open_headless
    from renderwright.render.errors import RenderwrightError

    print("\nOpenGL")
    try:
        context = open_headless()
    except RenderwrightError as error:
        print(f"  none: {error.message}")
        print(f"  {error.hint}")
        usable = False
    else:
        usable = True
        found = context.moderngl.info
        print(f"  {found['GL_RENDERER']}, OpenGL {found['GL_VERSION']}")
        context.release()
    try:
        chosen = choose_backend(None)
    except RenderwrightError as error:
        print(f"  {error.message}: {error.hint}")
        return
    why = f", because {chosen.reason}" if chosen.reason else ""
    if chosen.name is BackendName.OPENGL and not usable:
        print(f"  games cannot be played{why}")
    elif chosen.name is not BackendName.VULKAN:
        print(f"  games are played on {chosen.name}{why}")


def _show_tools() -> None:
    from renderwright.engine.machine import TOOLS, find_tool

    print("\nTools")
    for tool in TOOLS:
        found = find_tool(tool)
        if found.path:
            print(f"  {tool.name:<12} {found.path}  {found.version}".rstrip())
        else:
            print(f"  {tool.name:<12} missing; {tool.purpose}; on Debian or Ubuntu: sudo apt install {tool.package}")


def _show_shaders() -> None:
    from renderwright.render.shaders.library import BUILTIN_FOLDER
    from renderwright.render.shaders.portable import count_compiled

    print("\nShaders")
    count = count_compiled(BUILTIN_FOLDER)
    if count:
        print(f"  {count} of renderwright come compiled; glslc compiles others when they are first used")
    else:
        print("  none come compiled, as in a checkout and in a wheel built without glslc: all of them need glslc")


def _show_packages() -> None:
    from renderwright.engine.machine import package_versions

    print("\nPython packages")
    for name, version in package_versions():
        print(f"  {name:<12} {version or 'missing; run scripts/setup'}")
