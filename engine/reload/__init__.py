"""Hot reload: what changes on the disk is taken into the running game, or what is wrong with it is shown.

A change is put on trial: the frames go on as they were until one shows it without a failure.
"""

from renderwright.engine.reload.live_files import LiveFiles
from renderwright.engine.reload.preferences_edit import PreferencesPlace
from renderwright.engine.reload.reloader import Reloader
from renderwright.engine.reload.watcher import FileWatcher, Watcher

__all__ = ["FileWatcher", "LiveFiles", "PreferencesPlace", "Reloader", "Watcher"]
