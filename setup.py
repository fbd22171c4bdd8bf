"""Maps the top-level folders below ``renderwright``, the one package that is installed. The rest is in
pyproject.toml."""

from setuptools import find_namespace_packages, setup

FOLDERS = ("engine", "render", "plugins", "games", "skeleton_graphs")

# Folders of shaders and levels are found as packages, too, which is how their files come along.
packages = find_namespace_packages(include=[*FOLDERS, *(f"{folder}.*" for folder in FOLDERS)])

setup(
    packages=[f"renderwright.{name}" for name in packages],
    package_dir={f"renderwright.{folder}": folder for folder in FOLDERS},
)
