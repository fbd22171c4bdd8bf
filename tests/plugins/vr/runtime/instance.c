/* The instance, the system, what is asked of Vulkan, and how the loader finds all that. */
#include "runtime.h"

#include <stdio.h>
#include <string.h>

static const char EXTENSION[] = "XR_KHR_vulkan_enable";

static XrResult xrEnumerateInstanceExtensionProperties(const char *layer, uint32_t capacity, uint32_t *count,
                                                       XrExtensionProperties *properties) {
    (void)layer;
    read_script();
    *count = runtime.script.without_vulkan ? 0 : 1;
    if (!capacity || !*count) return XR_SUCCESS;
    REQUIRE(properties[0].head.type == XR_TYPE_EXTENSION_PROPERTIES, XR_ERROR_VALIDATION_FAILURE);
    strcpy(properties[0].name, EXTENSION);
    properties[0].version = 8;
    return XR_SUCCESS;
}

static XrResult xrCreateInstance(const XrInstanceCreateInfo *info, XrInstance *instance) {
    REQUIRE(info->head.type == XR_TYPE_INSTANCE_CREATE_INFO, XR_ERROR_VALIDATION_FAILURE);
    REQUIRE(!runtime.instance, XR_ERROR_LIMIT_REACHED);
    REQUIRE(info->application.api >> 48 == 1, XR_ERROR_API_VERSION_UNSUPPORTED);
    for (uint32_t number = 0; number < info->extension_count; number++)
        REQUIRE(!strcmp(info->extensions[number], EXTENSION), XR_ERROR_EXTENSION_NOT_PRESENT);
    memset(&runtime, 0, sizeof runtime);
    read_script();
    runtime.instance = 1;
    *instance = INSTANCE;
    note("instance for %s", info->application.name);
    return XR_SUCCESS;
}

static XrResult xrDestroyInstance(XrInstance instance) {
    REQUIRE(instance == INSTANCE && runtime.instance, XR_ERROR_HANDLE_INVALID);
    if (runtime.session) xrDestroySession(SESSION);
    runtime.instance = 0;
    note("instance destroyed");
    return XR_SUCCESS;
}

static XrResult xrGetInstanceProperties(XrInstance instance, XrInstanceProperties *properties) {
    REQUIRE(instance == INSTANCE, XR_ERROR_HANDLE_INVALID);
    properties->version = XR_VERSION(1, 0, 0);
    strcpy(properties->name, "test runtime");
    return XR_SUCCESS;
}

static XrResult xrGetSystem(XrInstance instance, const XrSystemGetInfo *info, XrSystemId *system) {
    REQUIRE(instance == INSTANCE, XR_ERROR_HANDLE_INVALID);
    REQUIRE(info->head.type == XR_TYPE_SYSTEM_GET_INFO, XR_ERROR_VALIDATION_FAILURE);
    REQUIRE(info->form_factor == XR_FORM_FACTOR_HEAD_MOUNTED_DISPLAY, XR_ERROR_FORM_FACTOR_UNSUPPORTED);
    if (within(runtime.script.absent, runtime.systems++)) return XR_ERROR_FORM_FACTOR_UNAVAILABLE;
    *system = SYSTEM;
    return XR_SUCCESS;
}

static XrResult xrGetSystemProperties(XrInstance instance, XrSystemId system, XrSystemProperties *properties) {
    REQUIRE(instance == INSTANCE, XR_ERROR_HANDLE_INVALID);
    REQUIRE(system == SYSTEM, XR_ERROR_SYSTEM_INVALID);
    REQUIRE(properties->head.type == XR_TYPE_SYSTEM_PROPERTIES, XR_ERROR_VALIDATION_FAILURE);
    properties->system = SYSTEM;
    properties->vendor = 1;
    strcpy(properties->name, "Test Headset");
    properties->max_width = properties->max_height = 4096;
    properties->max_layers = 16;
    properties->orientation = properties->position = 1;
    return XR_SUCCESS;
}

static XrResult xrEnumerateViewConfigurations(XrInstance instance, XrSystemId system, uint32_t capacity,
                                              uint32_t *count, XrEnum *kinds) {
    REQUIRE(instance == INSTANCE && system == SYSTEM, XR_ERROR_SYSTEM_INVALID);
    *count = 1;
    if (capacity) kinds[0] = XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO;
    return XR_SUCCESS;
}

static XrResult xrEnumerateViewConfigurationViews(XrInstance instance, XrSystemId system, XrEnum kind,
                                                  uint32_t capacity, uint32_t *count,
                                                  XrViewConfigurationView *views) {
    REQUIRE(instance == INSTANCE && system == SYSTEM, XR_ERROR_SYSTEM_INVALID);
    REQUIRE(kind == XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO, XR_ERROR_VIEW_CONFIGURATION_TYPE_UNSUPPORTED);
    *count = EYES;
    if (!capacity) return XR_SUCCESS;
    REQUIRE(capacity >= EYES, XR_ERROR_SIZE_INSUFFICIENT);
    for (int eye = 0; eye < EYES; eye++) {
        REQUIRE(views[eye].head.type == XR_TYPE_VIEW_CONFIGURATION_VIEW, XR_ERROR_VALIDATION_FAILURE);
        views[eye].width = runtime.script.width;
        views[eye].height = runtime.script.height;
        views[eye].max_width = views[eye].max_height = 4096;
        views[eye].samples = 1;
        views[eye].max_samples = 4;
    }
    return XR_SUCCESS;
}

static XrResult xrEnumerateEnvironmentBlendModes(XrInstance instance, XrSystemId system, XrEnum kind,
                                                 uint32_t capacity, uint32_t *count, XrEnum *modes) {
    REQUIRE(instance == INSTANCE && system == SYSTEM, XR_ERROR_SYSTEM_INVALID);
    REQUIRE(kind == XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO, XR_ERROR_VIEW_CONFIGURATION_TYPE_UNSUPPORTED);
    *count = 2;
    if (!capacity) return XR_SUCCESS;
    REQUIRE(capacity >= 2, XR_ERROR_SIZE_INSUFFICIENT);
    modes[0] = XR_ENVIRONMENT_BLEND_MODE_ADDITIVE;
    modes[1] = XR_ENVIRONMENT_BLEND_MODE_OPAQUE;
    return XR_SUCCESS;
}

/* Vulkan ---------------------------------------------------------------------------------------------------------- */

static XrResult text_out(const char *text, uint32_t capacity, uint32_t *count, char *buffer) {
    *count = (uint32_t)strlen(text) + 1;
    if (!capacity) return XR_SUCCESS;
    REQUIRE(capacity >= *count, XR_ERROR_SIZE_INSUFFICIENT);
    strcpy(buffer, text);
    return XR_SUCCESS;
}

static XrResult xrGetVulkanInstanceExtensionsKHR(XrInstance instance, XrSystemId system, uint32_t capacity,
                                                 uint32_t *count, char *buffer) {
    REQUIRE(instance == INSTANCE && system == SYSTEM, XR_ERROR_SYSTEM_INVALID);
    return text_out(runtime.script.instance_extensions, capacity, count, buffer);
}

static XrResult xrGetVulkanDeviceExtensionsKHR(XrInstance instance, XrSystemId system, uint32_t capacity,
                                               uint32_t *count, char *buffer) {
    REQUIRE(instance == INSTANCE && system == SYSTEM, XR_ERROR_SYSTEM_INVALID);
    return text_out(runtime.script.device_extensions, capacity, count, buffer);
}

static XrResult xrGetVulkanGraphicsDeviceKHR(XrInstance instance, XrSystemId system, VkInstance vulkan,
                                             VkPhysicalDevice *physical) {
    REQUIRE(instance == INSTANCE && system == SYSTEM, XR_ERROR_SYSTEM_INVALID);
    VkResult (*list)(VkInstance, uint32_t *, VkPhysicalDevice *) =
        (VkResult(*)(VkInstance, uint32_t *, VkPhysicalDevice *))vkGetInstanceProcAddr(vulkan,
                                                                                        "vkEnumeratePhysicalDevices");
    uint32_t count = 1;
    REQUIRE(list && list(vulkan, &count, physical) >= 0 && count, XR_ERROR_RUNTIME_FAILURE);
    runtime.vulkan.physical = *physical;
    return XR_SUCCESS;
}

static XrResult xrGetVulkanGraphicsRequirementsKHR(XrInstance instance, XrSystemId system,
                                                   XrGraphicsRequirementsVulkanKHR *requirements) {
    REQUIRE(instance == INSTANCE && system == SYSTEM, XR_ERROR_SYSTEM_INVALID);
    REQUIRE(requirements->head.type == XR_TYPE_GRAPHICS_REQUIREMENTS_VULKAN_KHR, XR_ERROR_VALIDATION_FAILURE);
    requirements->least = XR_VERSION(runtime.script.vulkan_major, runtime.script.vulkan_minor, 0);
    requirements->most = XR_VERSION(1, 1, 0);
    runtime.asked_requirements = 1;
    return XR_SUCCESS;
}

/* The loader ------------------------------------------------------------------------------------------------------ */

static XrResult xrGetInstanceProcAddr(XrInstance instance, const char *name, PFN_xrVoidFunction *function) {
    static const struct {
        const char *name;
        PFN_xrVoidFunction function;
    } functions[] = {
#define ENTRY(name) {#name, (PFN_xrVoidFunction)name},
        ENTRY(xrGetInstanceProcAddr) ENTRY(xrEnumerateInstanceExtensionProperties) ENTRY(xrCreateInstance)
        ENTRY(xrDestroyInstance) ENTRY(xrGetInstanceProperties) ENTRY(xrPollEvent) ENTRY(xrGetSystem)
        ENTRY(xrGetSystemProperties) ENTRY(xrEnumerateViewConfigurations) ENTRY(xrEnumerateViewConfigurationViews)
        ENTRY(xrEnumerateEnvironmentBlendModes) ENTRY(xrGetVulkanInstanceExtensionsKHR)
        ENTRY(xrGetVulkanDeviceExtensionsKHR) ENTRY(xrGetVulkanGraphicsDeviceKHR)
        ENTRY(xrGetVulkanGraphicsRequirementsKHR) ENTRY(xrCreateSession) ENTRY(xrDestroySession)
        ENTRY(xrBeginSession) ENTRY(xrEndSession) ENTRY(xrCreateReferenceSpace) ENTRY(xrDestroySpace)
        ENTRY(xrEnumerateSwapchainFormats) ENTRY(xrCreateSwapchain) ENTRY(xrDestroySwapchain)
        ENTRY(xrEnumerateSwapchainImages) ENTRY(xrAcquireSwapchainImage) ENTRY(xrWaitSwapchainImage)
        ENTRY(xrReleaseSwapchainImage) ENTRY(xrWaitFrame) ENTRY(xrBeginFrame) ENTRY(xrLocateViews) ENTRY(xrEndFrame)
    };
    (void)instance;
    *function = NULL;
    for (size_t number = 0; number < sizeof functions / sizeof functions[0]; number++)
        if (!strcmp(name, functions[number].name)) *function = functions[number].function;
    return *function ? XR_SUCCESS : XR_ERROR_FUNCTION_UNSUPPORTED;
}

XrResult xrNegotiateLoaderRuntimeInterface(const XrNegotiateLoaderInfo *loader, XrNegotiateRuntimeRequest *request) {
    if (loader->type != XR_LOADER_INTERFACE_STRUCT_LOADER_INFO || loader->least_interface > 1 ||
        request->type != XR_LOADER_INTERFACE_STRUCT_RUNTIME_REQUEST)
        return XR_ERROR_INITIALIZATION_FAILED;
    request->interface = 1;
    request->api = XR_VERSION(1, 0, 0);
    request->get = xrGetInstanceProcAddr;
    return XR_SUCCESS;
}
