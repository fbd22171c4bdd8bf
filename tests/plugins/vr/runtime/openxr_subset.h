/* What the test runtime needs of OpenXR 1.0, XR_KHR_vulkan_enable and the loader's negotiation, after their
 * specifications. The sizes of the larger structs are asserted below. */
#ifndef OPENXR_SUBSET_H
#define OPENXR_SUBSET_H

#include <stddef.h>
#include <stdint.h>

#include "vulkan_subset.h"

typedef int32_t XrResult;
typedef int64_t XrTime;
typedef int64_t XrDuration;
typedef uint32_t XrBool32;
typedef uint64_t XrFlags64;
typedef uint64_t XrSystemId;
typedef uint64_t XrVersion;
typedef int32_t XrEnum;
typedef struct XrObject *XrInstance, *XrSession, *XrSpace, *XrSwapchain;
typedef void (*PFN_xrVoidFunction)(void);

#define XR_VERSION(major, minor, patch) (((uint64_t)(major) << 48) | ((uint64_t)(minor) << 32) | (patch))

#define XR_RESULTS(_)                                                                                                  \
    _(XR_SUCCESS, 0)                                                                                                   \
    _(XR_TIMEOUT_EXPIRED, 1)                                                                                           \
    _(XR_SESSION_LOSS_PENDING, 3)                                                                                      \
    _(XR_EVENT_UNAVAILABLE, 4)                                                                                         \
    _(XR_FRAME_DISCARDED, 9)                                                                                           \
    _(XR_ERROR_VALIDATION_FAILURE, -1)                                                                                 \
    _(XR_ERROR_RUNTIME_FAILURE, -2)                                                                                    \
    _(XR_ERROR_API_VERSION_UNSUPPORTED, -4)                                                                            \
    _(XR_ERROR_INITIALIZATION_FAILED, -6)                                                                              \
    _(XR_ERROR_FUNCTION_UNSUPPORTED, -7)                                                                               \
    _(XR_ERROR_FEATURE_UNSUPPORTED, -8)                                                                                \
    _(XR_ERROR_EXTENSION_NOT_PRESENT, -9)                                                                              \
    _(XR_ERROR_LIMIT_REACHED, -10)                                                                                     \
    _(XR_ERROR_SIZE_INSUFFICIENT, -11)                                                                                 \
    _(XR_ERROR_HANDLE_INVALID, -12)                                                                                    \
    _(XR_ERROR_INSTANCE_LOST, -13)                                                                                     \
    _(XR_ERROR_SESSION_RUNNING, -14)                                                                                   \
    _(XR_ERROR_SESSION_NOT_RUNNING, -16)                                                                               \
    _(XR_ERROR_SESSION_LOST, -17)                                                                                      \
    _(XR_ERROR_SYSTEM_INVALID, -18)                                                                                    \
    _(XR_ERROR_LAYER_INVALID, -23)                                                                                     \
    _(XR_ERROR_LAYER_LIMIT_EXCEEDED, -24)                                                                              \
    _(XR_ERROR_SWAPCHAIN_RECT_INVALID, -25)                                                                            \
    _(XR_ERROR_SWAPCHAIN_FORMAT_UNSUPPORTED, -26)                                                                      \
    _(XR_ERROR_SESSION_NOT_READY, -28)                                                                                 \
    _(XR_ERROR_SESSION_NOT_STOPPING, -29)                                                                              \
    _(XR_ERROR_TIME_INVALID, -30)                                                                                      \
    _(XR_ERROR_REFERENCE_SPACE_UNSUPPORTED, -31)                                                                       \
    _(XR_ERROR_FORM_FACTOR_UNSUPPORTED, -34)                                                                           \
    _(XR_ERROR_FORM_FACTOR_UNAVAILABLE, -35)                                                                           \
    _(XR_ERROR_CALL_ORDER_INVALID, -37)                                                                                \
    _(XR_ERROR_GRAPHICS_DEVICE_INVALID, -38)                                                                           \
    _(XR_ERROR_POSE_INVALID, -39)                                                                                      \
    _(XR_ERROR_VIEW_CONFIGURATION_TYPE_UNSUPPORTED, -41)                                                               \
    _(XR_ERROR_ENVIRONMENT_BLEND_MODE_UNSUPPORTED, -42)                                                                \
    _(XR_ERROR_GRAPHICS_REQUIREMENTS_CALL_MISSING, -50)
#define XR_ENUMERATOR(name, value) name = value,
enum { XR_RESULTS(XR_ENUMERATOR) };

enum {
    XR_TYPE_EXTENSION_PROPERTIES = 2,
    XR_TYPE_INSTANCE_CREATE_INFO = 3,
    XR_TYPE_SYSTEM_GET_INFO = 4,
    XR_TYPE_SYSTEM_PROPERTIES = 5,
    XR_TYPE_VIEW_LOCATE_INFO = 6,
    XR_TYPE_VIEW = 7,
    XR_TYPE_SESSION_CREATE_INFO = 8,
    XR_TYPE_SWAPCHAIN_CREATE_INFO = 9,
    XR_TYPE_SESSION_BEGIN_INFO = 10,
    XR_TYPE_VIEW_STATE = 11,
    XR_TYPE_FRAME_END_INFO = 12,
    XR_TYPE_EVENT_DATA_BUFFER = 16,
    XR_TYPE_EVENT_DATA_INSTANCE_LOSS_PENDING = 17,
    XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED = 18,
    XR_TYPE_INSTANCE_PROPERTIES = 32,
    XR_TYPE_COMPOSITION_LAYER_PROJECTION = 35,
    XR_TYPE_REFERENCE_SPACE_CREATE_INFO = 37,
    XR_TYPE_VIEW_CONFIGURATION_VIEW = 41,
    XR_TYPE_FRAME_STATE = 44,
    XR_TYPE_COMPOSITION_LAYER_PROJECTION_VIEW = 48,
    XR_TYPE_GRAPHICS_BINDING_VULKAN_KHR = 1000025000,
    XR_TYPE_SWAPCHAIN_IMAGE_VULKAN_KHR = 1000025001,
    XR_TYPE_GRAPHICS_REQUIREMENTS_VULKAN_KHR = 1000025002,
};

enum { XR_FORM_FACTOR_HEAD_MOUNTED_DISPLAY = 1 };
enum { XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO = 2 };
enum { XR_REFERENCE_SPACE_TYPE_LOCAL = 2 };
enum { XR_ENVIRONMENT_BLEND_MODE_OPAQUE = 1, XR_ENVIRONMENT_BLEND_MODE_ADDITIVE = 2 };
enum { XR_SWAPCHAIN_USAGE_COLOR_ATTACHMENT_BIT = 1 };
enum { XR_VIEW_STATE_ORIENTATION_VALID_BIT = 1, XR_VIEW_STATE_POSITION_VALID_BIT = 2 };
enum {
    XR_SESSION_STATE_UNKNOWN,
    XR_SESSION_STATE_IDLE,
    XR_SESSION_STATE_READY,
    XR_SESSION_STATE_SYNCHRONIZED,
    XR_SESSION_STATE_VISIBLE,
    XR_SESSION_STATE_FOCUSED,
    XR_SESSION_STATE_STOPPING,
    XR_SESSION_STATE_LOSS_PENDING,
    XR_SESSION_STATE_EXITING,
};

typedef struct { XrEnum type; const void *next; } XrInput;
typedef struct { XrEnum type; void *next; } XrOutput;
typedef struct { float x, y, z, w; } XrQuaternionf;
typedef struct { float x, y, z; } XrVector3f;
typedef struct { XrQuaternionf orientation; XrVector3f position; } XrPosef;
typedef struct { float left, right, up, down; } XrFovf;
typedef struct { int32_t x, y, width, height; } XrRect2Di;

typedef struct { XrOutput head; char name[128]; uint32_t version; } XrExtensionProperties;
typedef struct {
    char name[128];
    uint32_t version;
    char engine[128];
    uint32_t engine_version;
    XrVersion api;
} XrApplicationInfo;
typedef struct {
    XrInput head;
    XrFlags64 flags;
    XrApplicationInfo application;
    uint32_t layer_count;
    const char *const *layers;
    uint32_t extension_count;
    const char *const *extensions;
} XrInstanceCreateInfo;
typedef struct { XrOutput head; XrVersion version; char name[128]; } XrInstanceProperties;
typedef struct { XrInput head; XrEnum form_factor; } XrSystemGetInfo;
typedef struct {
    XrOutput head;
    XrSystemId system;
    uint32_t vendor;
    char name[256];
    uint32_t max_height, max_width, max_layers;
    XrBool32 orientation, position;
} XrSystemProperties;
typedef struct {
    XrOutput head;
    uint32_t width, max_width, height, max_height, samples, max_samples;
} XrViewConfigurationView;
typedef struct { XrOutput head; XrVersion least, most; } XrGraphicsRequirementsVulkanKHR;
typedef struct {
    XrInput head;
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    uint32_t family, queue;
} XrGraphicsBindingVulkanKHR;
typedef struct { XrInput head; XrFlags64 flags; XrSystemId system; } XrSessionCreateInfo;
typedef struct { XrInput head; XrEnum views; } XrSessionBeginInfo;
typedef struct { XrInput head; XrEnum kind; XrPosef pose; } XrReferenceSpaceCreateInfo;
typedef struct {
    XrInput head;
    XrFlags64 flags, usage;
    int64_t format;
    uint32_t samples, width, height, faces, layers, mips;
} XrSwapchainCreateInfo;
typedef struct { XrOutput head; VkImage image; } XrSwapchainImageVulkanKHR;
typedef struct { XrInput head; XrDuration timeout; } XrSwapchainImageWaitInfo;
typedef struct { XrOutput head; XrTime time; XrDuration period; XrBool32 should_render; } XrFrameState;
typedef struct { XrInput head; XrEnum views; XrTime time; XrSpace space; } XrViewLocateInfo;
typedef struct { XrOutput head; XrFlags64 flags; } XrViewState;
typedef struct { XrOutput head; XrPosef pose; XrFovf fov; } XrView;
typedef struct { XrSwapchain swapchain; XrRect2Di rect; uint32_t layer; } XrSwapchainSubImage;
typedef struct { XrInput head; XrPosef pose; XrFovf fov; XrSwapchainSubImage image; } XrCompositionLayerProjectionView;
typedef struct {
    XrInput head;
    XrFlags64 flags;
    XrSpace space;
    uint32_t view_count;
    const XrCompositionLayerProjectionView *views;
} XrCompositionLayerProjection;
typedef struct {
    XrInput head;
    XrTime time;
    XrEnum blend_mode;
    uint32_t layer_count;
    const XrCompositionLayerProjection *const *layers;
} XrFrameEndInfo;
typedef struct { XrOutput head; uint8_t varying[4000]; } XrEventDataBuffer;
typedef struct { XrOutput head; XrSession session; XrEnum state; XrTime time; } XrEventDataSessionStateChanged;

_Static_assert(sizeof(XrInstanceCreateInfo) == 328, "XrInstanceCreateInfo");
_Static_assert(sizeof(XrSystemProperties) == 304, "XrSystemProperties");
_Static_assert(sizeof(XrViewConfigurationView) == 40, "XrViewConfigurationView");
_Static_assert(sizeof(XrSwapchainCreateInfo) == 64, "XrSwapchainCreateInfo");
_Static_assert(sizeof(XrGraphicsBindingVulkanKHR) == 48, "XrGraphicsBindingVulkanKHR");
_Static_assert(sizeof(XrFrameEndInfo) == 40, "XrFrameEndInfo");
_Static_assert(sizeof(XrCompositionLayerProjection) == 48, "XrCompositionLayerProjection");
_Static_assert(sizeof(XrCompositionLayerProjectionView) == 96, "XrCompositionLayerProjectionView");
_Static_assert(sizeof(XrView) == 64, "XrView");
_Static_assert(sizeof(XrEventDataBuffer) == 4016, "XrEventDataBuffer");

/* The loader's side. */
typedef XrResult (*PFN_xrGetInstanceProcAddr)(XrInstance, const char *, PFN_xrVoidFunction *);
typedef struct {
    XrEnum type;
    uint32_t version;
    size_t size;
    uint32_t least_interface, most_interface;
    XrVersion least_api, most_api;
} XrNegotiateLoaderInfo;
typedef struct {
    XrEnum type;
    uint32_t version;
    size_t size;
    uint32_t interface;
    XrVersion api;
    PFN_xrGetInstanceProcAddr get;
} XrNegotiateRuntimeRequest;
enum { XR_LOADER_INTERFACE_STRUCT_LOADER_INFO = 1, XR_LOADER_INTERFACE_STRUCT_RUNTIME_REQUEST = 3 };

#endif
