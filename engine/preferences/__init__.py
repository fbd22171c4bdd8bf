"""Preferences: the user's choice of plugins and settings, remembered between runs in one file."""

from renderwright.engine.preferences.applying import SWITCHED_OFF, Applied, apply_preferences
from renderwright.engine.preferences.file import load_preferences, preferences_file, save_preferences
from renderwright.engine.preferences.remembering import remember_plugin
from renderwright.engine.preferences.values import PluginPreference, Preferences

__all__ = [
    "SWITCHED_OFF",
    "Applied",
    "PluginPreference",
    "Preferences",
    "apply_preferences",
    "load_preferences",
    "preferences_file",
    "remember_plugin",
    "save_preferences",
]
