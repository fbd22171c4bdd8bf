"""The pipeline stages, memory accesses and image layouts of Vulkan's synchronization2, with Vulkan's own numbers.

They are spelt out here so that plans can be derived, printed and tested on a machine without Vulkan.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag


class Stage(IntFlag):
    """VkPipelineStageFlagBits2."""

    NONE = 0
    DRAW_INDIRECT = 0x2
    VERTEX_SHADER = 0x8
    FRAGMENT_SHADER = 0x80
    EARLY_FRAGMENT_TESTS = 0x100
    LATE_FRAGMENT_TESTS = 0x200
    COLOR_ATTACHMENT_OUTPUT = 0x400
    COMPUTE_SHADER = 0x800
    HOST = 0x4000
    ALL_COMMANDS = 0x10000
    COPY = 0x1_0000_0000
    RESOLVE = 0x2_0000_0000
    BLIT = 0x4_0000_0000
    CLEAR = 0x8_0000_0000
    INDEX_INPUT = 0x10_0000_0000
    VERTEX_ATTRIBUTE_INPUT = 0x20_0000_0000


class Access(IntFlag):
    """VkAccessFlagBits2."""

    NONE = 0
    INDIRECT_COMMAND_READ = 0x1
    INDEX_READ = 0x2
    VERTEX_ATTRIBUTE_READ = 0x4
    UNIFORM_READ = 0x8
    COLOR_ATTACHMENT_READ = 0x80
    COLOR_ATTACHMENT_WRITE = 0x100
    DEPTH_STENCIL_ATTACHMENT_READ = 0x200
    DEPTH_STENCIL_ATTACHMENT_WRITE = 0x400
    TRANSFER_READ = 0x800
    TRANSFER_WRITE = 0x1000
    HOST_READ = 0x2000
    MEMORY_READ = 0x8000
    MEMORY_WRITE = 0x10000
    SHADER_SAMPLED_READ = 0x1_0000_0000
    SHADER_STORAGE_READ = 0x2_0000_0000
    SHADER_STORAGE_WRITE = 0x4_0000_0000


WRITES = (
    Access.COLOR_ATTACHMENT_WRITE
    | Access.DEPTH_STENCIL_ATTACHMENT_WRITE
    | Access.TRANSFER_WRITE
    | Access.MEMORY_WRITE
    | Access.SHADER_STORAGE_WRITE
)


class Layout(IntEnum):
    """VkImageLayout."""

    UNDEFINED = 0
    GENERAL = 1
    COLOR_ATTACHMENT = 2
    DEPTH_ATTACHMENT = 3
    DEPTH_READ_ONLY = 4
    SHADER_READ_ONLY = 5
    TRANSFER_SRC = 6
    TRANSFER_DST = 7
    PRESENT_SRC = 1000001002
