/* An OpenXR runtime for tests: one headset for two eyes, moved by a script, that shows nothing but writes what it is
 * given to files. It is strict: what the specification forbids is an error, and a line "violation" in its log. */
#ifndef RUNTIME_H
#define RUNTIME_H

#include "openxr_subset.h"

enum { EYES = 2, MOST_IMAGES = 3, MOST_SWAPCHAINS = 4, MOST_EVENTS = 64, MOST_STEPS = 64 };
#define PERIOD 11111111
#define FIRST_TIME 1000000000

/* What the script says (script.c); ranges are from the first to the last, and counted from 0. */
typedef struct { int at, state; } ScriptedEvent;
typedef struct { int at; XrPosef pose; } ScriptedPose;
typedef struct { int first, last; } Range;
typedef struct {
    char out[1024];
    uint32_t width, height;
    XrVector3f places[EYES];
    XrFovf fovs[EYES];
    ScriptedPose poses[MOST_STEPS];
    int pose_count;
    ScriptedEvent events[MOST_STEPS];
    int event_count;
    int64_t formats[8];
    int format_count;
    int vulkan_major, vulkan_minor;
    char instance_extensions[256], device_extensions[256];
    int without_vulkan; /* the extension is not offered */
    int lost;           /* at this turn the session is lost without notice */
    Range absent;       /* calls of xrGetSystem that find no headset */
    Range hidden;       /* frames that need not be rendered */
    Range untracked;    /* frames in which the head is not tracked */
    Range late;         /* waits for an image that time out */
} Script;
enum { INSTANCE_LOSS = 100 };

typedef struct {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    uint32_t family;
    VkCommandPool pool;
    VkCommandBuffer buffer;
    VkFence fence;
#define VK_MEMBER(result, name, arguments) result(*name) arguments;
    VK_FUNCTIONS(VK_MEMBER)
} Vulkan;

typedef struct {
    int alive;
    int64_t format;
    uint32_t width, height;
    VkImage images[MOST_IMAGES];
    VkDeviceMemory memory[MOST_IMAGES];
    int queue[MOST_IMAGES]; /* acquired images, the oldest first */
    int queued, waited, next, released;
} Swapchain;

typedef struct {
    Script script;
    int instance, session, space; /* whether each is alive */
    int state, running, lost, gone;
    int asked_requirements;
    int systems, turns, waits;
    int frame;              /* number of the next frame */
    int frame_waited, frame_begun;
    XrTime time;
    int synchronised;       /* frames since the session began */
    XrEventDataBuffer events[MOST_EVENTS];
    int event_count;
    Vulkan vulkan;
    Swapchain swapchains[MOST_SWAPCHAINS];
} Runtime;

extern Runtime runtime;

/* Handles are addresses in here, so wrong ones are found. */
#define INSTANCE ((XrInstance)(void *)&runtime.instance)
#define SESSION ((XrSession)(void *)&runtime.session)
#define SPACE ((XrSpace)(void *)&runtime.space)
#define SYSTEM 7

void read_script(void);
int within(Range range, int number);
void note(const char *format, ...);
XrResult violation(XrResult result, const char *function, const char *why);
#define REQUIRE(condition, result)                                                                                     \
    do {                                                                                                               \
        if (!(condition)) return violation(result, __func__, #condition);                                              \
    } while (0)

void push_state(int state);
void follow_script(void);
XrResult session_result(void); /* XR_SUCCESS, or that the session is lost */

VkResult open_vulkan(const XrGraphicsBindingVulkanKHR *binding);
void close_vulkan(void);
VkDeviceMemory vulkan_memory(VkMemoryRequirements needs, VkFlags wanted);
void vulkan_begin(void);
void vulkan_submit(void);
void vulkan_move(VkImage image, int32_t from, int32_t to, VkFlags before, VkFlags stage, VkFlags after, VkFlags next);
void destroy_swapchain(Swapchain *swapchain);
Swapchain *find_swapchain(XrSwapchain handle);
int write_image(Swapchain *swapchain, int image, const char *path);

#define FUNCTION(name, arguments) XrResult name arguments
FUNCTION(xrPollEvent, (XrInstance, XrEventDataBuffer *));
FUNCTION(xrCreateSession, (XrInstance, const XrSessionCreateInfo *, XrSession *));
FUNCTION(xrDestroySession, (XrSession));
FUNCTION(xrBeginSession, (XrSession, const XrSessionBeginInfo *));
FUNCTION(xrEndSession, (XrSession));
FUNCTION(xrCreateReferenceSpace, (XrSession, const XrReferenceSpaceCreateInfo *, XrSpace *));
FUNCTION(xrDestroySpace, (XrSpace));
FUNCTION(xrEnumerateSwapchainFormats, (XrSession, uint32_t, uint32_t *, int64_t *));
FUNCTION(xrCreateSwapchain, (XrSession, const XrSwapchainCreateInfo *, XrSwapchain *));
FUNCTION(xrDestroySwapchain, (XrSwapchain));
FUNCTION(xrEnumerateSwapchainImages, (XrSwapchain, uint32_t, uint32_t *, XrSwapchainImageVulkanKHR *));
FUNCTION(xrAcquireSwapchainImage, (XrSwapchain, const XrInput *, uint32_t *));
FUNCTION(xrWaitSwapchainImage, (XrSwapchain, const XrSwapchainImageWaitInfo *));
FUNCTION(xrReleaseSwapchainImage, (XrSwapchain, const XrInput *));
FUNCTION(xrWaitFrame, (XrSession, const XrInput *, XrFrameState *));
FUNCTION(xrBeginFrame, (XrSession, const XrInput *));
FUNCTION(xrLocateViews, (XrSession, const XrViewLocateInfo *, XrViewState *, uint32_t, uint32_t *, XrView *));
FUNCTION(xrEndFrame, (XrSession, const XrFrameEndInfo *));

#endif
