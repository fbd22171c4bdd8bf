"""Keeps the drivers' libraries loaded for the life of the process."""

from __future__ import annotations

from functools import cache

from renderwright.render.backend.vulkan.api import NULL
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.constants import API_VERSION_1_3
from renderwright.render.backend.vulkan.dispatch import Dispatch
from renderwright.render.backend.vulkan.errors import check


@cache
def keep_drivers_loaded() -> None:
    """Create one bare instance, which is never destroyed; only the first call does anything.

    With the last instance the loader unloads the drivers. NVIDIA's library (seen with 580) takes thread-local storage
    of a size that glibc fixes at the start of the process, and does not give it back: it cannot be loaded a 31st time.
    """
    dispatch = Dispatch()
    arena = Arena()
    application = arena.new("VkApplicationInfo", apiVersion=API_VERSION_1_3)
    info = arena.new("VkInstanceCreateInfo", pApplicationInfo=application)
    check(dispatch.vkCreateInstance(info, NULL, arena.out("VkInstance")), "create a Vulkan instance")
