"""Defects of drivers that the backend avoids."""

from __future__ import annotations

import re

_MESA = re.compile(r"Mesa (\d+)\.(\d+)")
_ANISOTROPY_WORKS = (25, 0)
"""The first llvmpipe version that is trusted with anisotropic filtering; 22.3 does not interpolate magnified texels."""

_COPIED_SHADERS = (22, 3)
"""The newest llvmpipe seen to do so."""


def draws_first_command_only(name: str) -> bool:
    """Whether a call that draws by several commands may draw the first one alone.

    Seen on llvmpipe 22.3 where some of the commands have no instances; a call for each command draws all of them.
    Software drivers gain nothing by fewer calls, so no version is trusted.
    """
    return _is_llvmpipe(name)


def filters_anisotropy_wrong(name: str, driver: str) -> bool:
    """Whether anisotropic filtering renders incorrectly on a device with this name and driver."""
    return _is_llvmpipe(name) and _version(driver) < _ANISOTROPY_WORKS


def copies_shaders(name: str, driver: str) -> bool:
    """Whether the driver compiles a shader anew for the values of uniforms that alone decide its control flow, and
    keeps every copy."""
    return _is_llvmpipe(name) and _version(driver) <= _COPIED_SHADERS


def _is_llvmpipe(name: str) -> bool:
    return name.startswith("llvmpipe")


def _version(driver: str) -> tuple[int, int]:
    found = _MESA.search(driver)
    return (int(found[1]), int(found[2])) if found is not None else (0, 0)
