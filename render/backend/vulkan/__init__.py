"""The backend for Vulkan 1.3. Importing it raises ``BackendError`` on a machine without a Vulkan loader."""

from renderwright.render.backend.validation_message import ValidationMessage
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.describe import DeviceDescription, describe_devices

__all__ = ["DeviceDescription", "ValidationMessage", "VulkanBackend", "describe_devices"]
