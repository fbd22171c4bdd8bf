"""Reading and writing of files with limits. Knows nothing of the rest of the package. Plugins and games may use it."""

from renderwright.render.files.installed import is_installed, is_of_library, package_data_advice
from renderwright.render.files.reading import read_file, read_start, read_text
from renderwright.render.files.writing import replacing

__all__ = ["is_installed", "is_of_library", "package_data_advice", "read_file", "read_start", "read_text", "replacing"]
