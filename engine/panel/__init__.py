"""The panel in a window: plugins and their settings, times, the frame, its textures, messages.

It needs the extra ``panel`` (Dear ImGui through slimgui). ``gui`` is the user interface's core, ``node`` draws it,
``panel`` puts the tabs together.
"""
