/* Sessions: their states, which follow the script, and the space of the seat. */
#include "runtime.h"

#include <string.h>

/* Events ---------------------------------------------------------------------------------------------------------- */

static void push(const void *event, size_t size) {
    if (runtime.event_count < MOST_EVENTS) memcpy(&runtime.events[runtime.event_count++], event, size);
}

void push_state(int state) {
    XrEventDataSessionStateChanged event = {
        {XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED, NULL}, SESSION, state, FIRST_TIME};
    runtime.state = state;
    note("state %d", state);
    push(&event, sizeof event);
}

/* What the script has for this turn: a turn ends when the application has taken all events. */
void follow_script(void) {
    const Script *script = &runtime.script;
    for (int number = 0; number < script->event_count; number++) {
        if (script->events[number].at != runtime.turns) continue;
        if (script->events[number].state == INSTANCE_LOSS) {
            XrEventDataBuffer event = {{XR_TYPE_EVENT_DATA_INSTANCE_LOSS_PENDING, NULL}, {0}};
            push(&event, sizeof event);
        } else if (runtime.session) {
            push_state(script->events[number].state);
        }
    }
    if (script->lost == runtime.turns && runtime.session) runtime.lost = 1;
    runtime.turns++;
}

XrResult xrPollEvent(XrInstance instance, XrEventDataBuffer *event) {
    REQUIRE(instance == INSTANCE, XR_ERROR_HANDLE_INVALID);
    REQUIRE(event->head.type == XR_TYPE_EVENT_DATA_BUFFER, XR_ERROR_VALIDATION_FAILURE);
    if (!runtime.event_count) {
        follow_script();
        return XR_EVENT_UNAVAILABLE;
    }
    *event = runtime.events[0];
    memmove(runtime.events, runtime.events + 1, --runtime.event_count * sizeof *runtime.events);
    return XR_SUCCESS;
}

/* Sessions -------------------------------------------------------------------------------------------------------- */

XrResult session_result(void) { return runtime.lost ? XR_ERROR_SESSION_LOST : XR_SUCCESS; }

XrResult xrCreateSession(XrInstance instance, const XrSessionCreateInfo *info, XrSession *session) {
    const XrGraphicsBindingVulkanKHR *binding = info->head.next;
    REQUIRE(instance == INSTANCE, XR_ERROR_HANDLE_INVALID);
    REQUIRE(info->head.type == XR_TYPE_SESSION_CREATE_INFO, XR_ERROR_VALIDATION_FAILURE);
    REQUIRE(info->system == SYSTEM, XR_ERROR_SYSTEM_INVALID);
    REQUIRE(runtime.asked_requirements, XR_ERROR_GRAPHICS_REQUIREMENTS_CALL_MISSING);
    REQUIRE(!runtime.session, XR_ERROR_LIMIT_REACHED);
    REQUIRE(binding && binding->head.type == XR_TYPE_GRAPHICS_BINDING_VULKAN_KHR, XR_ERROR_GRAPHICS_DEVICE_INVALID);
    REQUIRE(binding->instance && binding->device, XR_ERROR_GRAPHICS_DEVICE_INVALID);
    REQUIRE(binding->physical == runtime.vulkan.physical, XR_ERROR_GRAPHICS_DEVICE_INVALID);
    REQUIRE(!open_vulkan(binding), XR_ERROR_RUNTIME_FAILURE);
    runtime.session = 1;
    runtime.running = runtime.lost = runtime.synchronised = 0;
    runtime.frame_waited = runtime.frame_begun = 0;
    *session = SESSION;
    note("session on queue %u of family %u", binding->queue, binding->family);
    push_state(XR_SESSION_STATE_IDLE);
    push_state(XR_SESSION_STATE_READY);
    return XR_SUCCESS;
}

XrResult xrDestroySession(XrSession session) {
    REQUIRE(session == SESSION && runtime.session, XR_ERROR_HANDLE_INVALID);
    for (int number = 0; number < MOST_SWAPCHAINS; number++)
        if (runtime.swapchains[number].alive) destroy_swapchain(&runtime.swapchains[number]);
    close_vulkan();
    runtime.session = runtime.space = runtime.running = runtime.event_count = 0;
    note("session destroyed");
    return XR_SUCCESS;
}

XrResult xrBeginSession(XrSession session, const XrSessionBeginInfo *info) {
    REQUIRE(session == SESSION && runtime.session, XR_ERROR_HANDLE_INVALID);
    if (session_result()) return session_result();
    REQUIRE(info->head.type == XR_TYPE_SESSION_BEGIN_INFO, XR_ERROR_VALIDATION_FAILURE);
    REQUIRE(info->views == XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO, XR_ERROR_VIEW_CONFIGURATION_TYPE_UNSUPPORTED);
    REQUIRE(!runtime.running, XR_ERROR_SESSION_RUNNING);
    REQUIRE(runtime.state == XR_SESSION_STATE_READY, XR_ERROR_SESSION_NOT_READY);
    runtime.running = 1;
    runtime.synchronised = 0;
    push_state(XR_SESSION_STATE_SYNCHRONIZED);
    note("session begun");
    return XR_SUCCESS;
}

XrResult xrEndSession(XrSession session) {
    REQUIRE(session == SESSION && runtime.session, XR_ERROR_HANDLE_INVALID);
    if (session_result()) return session_result();
    REQUIRE(runtime.running, XR_ERROR_SESSION_NOT_RUNNING);
    REQUIRE(runtime.state == XR_SESSION_STATE_STOPPING, XR_ERROR_SESSION_NOT_STOPPING);
    REQUIRE(!runtime.frame_begun, XR_ERROR_VALIDATION_FAILURE);
    runtime.running = 0;
    push_state(XR_SESSION_STATE_IDLE);
    note("session ended");
    return XR_SUCCESS;
}

/* The seat -------------------------------------------------------------------------------------------------------- */

XrResult xrCreateReferenceSpace(XrSession session, const XrReferenceSpaceCreateInfo *info, XrSpace *space) {
    REQUIRE(session == SESSION && runtime.session, XR_ERROR_HANDLE_INVALID);
    REQUIRE(info->head.type == XR_TYPE_REFERENCE_SPACE_CREATE_INFO, XR_ERROR_VALIDATION_FAILURE);
    REQUIRE(info->kind == XR_REFERENCE_SPACE_TYPE_LOCAL, XR_ERROR_REFERENCE_SPACE_UNSUPPORTED);
    REQUIRE(info->pose.orientation.w == 1.0f, XR_ERROR_POSE_INVALID);
    runtime.space = 1;
    *space = SPACE;
    return XR_SUCCESS;
}

XrResult xrDestroySpace(XrSpace space) {
    REQUIRE(space == SPACE && runtime.space, XR_ERROR_HANDLE_INVALID);
    runtime.space = 0;
    return XR_SUCCESS;
}
