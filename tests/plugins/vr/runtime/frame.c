/* Frames: when they are, where the eyes are then, and what is shown. */
#include "runtime.h"

#include <math.h>
#include <stdio.h>

XrResult xrWaitFrame(XrSession session, const XrInput *info, XrFrameState *state) {
    (void)info;
    REQUIRE(session == SESSION && runtime.session, XR_ERROR_HANDLE_INVALID);
    if (session_result()) return session_result();
    REQUIRE(state->head.type == XR_TYPE_FRAME_STATE, XR_ERROR_VALIDATION_FAILURE);
    REQUIRE(runtime.running, XR_ERROR_SESSION_NOT_RUNNING);
    /* The specification lets this call wait for xrBeginFrame, which an application of one thread never gets to. */
    REQUIRE(!runtime.frame_waited, XR_ERROR_CALL_ORDER_INVALID);
    runtime.frame_waited = 1;
    runtime.time = FIRST_TIME + (XrTime)runtime.frame * PERIOD;
    state->time = runtime.time;
    state->period = PERIOD;
    state->should_render = runtime.state >= XR_SESSION_STATE_VISIBLE && runtime.state <= XR_SESSION_STATE_FOCUSED &&
                           !within(runtime.script.hidden, runtime.frame);
    runtime.frame++;
    return XR_SUCCESS;
}

XrResult xrBeginFrame(XrSession session, const XrInput *info) {
    (void)info;
    REQUIRE(session == SESSION && runtime.session, XR_ERROR_HANDLE_INVALID);
    if (session_result()) return session_result();
    REQUIRE(runtime.running, XR_ERROR_SESSION_NOT_RUNNING);
    REQUIRE(runtime.frame_waited, XR_ERROR_CALL_ORDER_INVALID);
    int discarded = runtime.frame_begun;
    runtime.frame_waited = 0;
    runtime.frame_begun = 1;
    if (discarded) note("frame discarded");
    return discarded ? XR_FRAME_DISCARDED : XR_SUCCESS;
}

/* Eyes ------------------------------------------------------------------------------------------------------------ */

static XrVector3f turned(XrQuaternionf q, XrVector3f v) {
    /* v + 2 w (q x v) + 2 q x (q x v) */
    XrVector3f once = {q.y * v.z - q.z * v.y, q.z * v.x - q.x * v.z, q.x * v.y - q.y * v.x};
    XrVector3f twice = {q.y * once.z - q.z * once.y, q.z * once.x - q.x * once.z, q.x * once.y - q.y * once.x};
    return (XrVector3f){v.x + 2 * (q.w * once.x + twice.x), v.y + 2 * (q.w * once.y + twice.y),
                        v.z + 2 * (q.w * once.z + twice.z)};
}

static XrPosef head_at(int frame) {
    XrPosef head = {{0, 0, 0, 1}, {0, 0, 0}};
    for (int number = 0; number < runtime.script.pose_count; number++)
        if (runtime.script.poses[number].at <= frame) head = runtime.script.poses[number].pose;
    return head;
}

static XrPosef eye_at(int frame, int eye) {
    XrPosef head = head_at(frame);
    XrVector3f offset = turned(head.orientation, runtime.script.places[eye]);
    return (XrPosef){head.orientation,
                     {head.position.x + offset.x, head.position.y + offset.y, head.position.z + offset.z}};
}

XrResult xrLocateViews(XrSession session, const XrViewLocateInfo *info, XrViewState *state, uint32_t capacity,
                       uint32_t *count, XrView *views) {
    REQUIRE(session == SESSION && runtime.session, XR_ERROR_HANDLE_INVALID);
    if (session_result()) return session_result();
    REQUIRE(info->head.type == XR_TYPE_VIEW_LOCATE_INFO, XR_ERROR_VALIDATION_FAILURE);
    REQUIRE(state->head.type == XR_TYPE_VIEW_STATE, XR_ERROR_VALIDATION_FAILURE);
    REQUIRE(info->views == XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO, XR_ERROR_VIEW_CONFIGURATION_TYPE_UNSUPPORTED);
    REQUIRE(info->space == SPACE && runtime.space, XR_ERROR_HANDLE_INVALID);
    REQUIRE(info->time > 0, XR_ERROR_TIME_INVALID);
    REQUIRE(info->time == runtime.time, XR_ERROR_TIME_INVALID);
    *count = EYES;
    int frame = runtime.frame - 1, tracked = !within(runtime.script.untracked, frame);
    state->flags = XR_VIEW_STATE_ORIENTATION_VALID_BIT | (tracked ? XR_VIEW_STATE_POSITION_VALID_BIT : 0);
    if (!capacity) return XR_SUCCESS;
    REQUIRE(capacity >= EYES, XR_ERROR_SIZE_INSUFFICIENT);
    for (int eye = 0; eye < EYES; eye++) {
        REQUIRE(views[eye].head.type == XR_TYPE_VIEW, XR_ERROR_VALIDATION_FAILURE);
        views[eye].pose = eye_at(frame, eye);
        views[eye].fov = runtime.script.fovs[eye];
    }
    return XR_SUCCESS;
}

/* Pictures -------------------------------------------------------------------------------------------------------- */

static XrResult show(const XrCompositionLayerProjectionView *view, int eye) {
    Swapchain *swapchain = find_swapchain(view->image.swapchain);
    XrQuaternionf turn = view->pose.orientation;
    XrFovf fov = runtime.script.fovs[eye];
    XrRect2Di rect = view->image.rect;
    char path[1200];
    REQUIRE(view->head.type == XR_TYPE_COMPOSITION_LAYER_PROJECTION_VIEW, XR_ERROR_VALIDATION_FAILURE);
    REQUIRE(swapchain, XR_ERROR_HANDLE_INVALID);
    REQUIRE(swapchain->released >= 0, XR_ERROR_LAYER_INVALID);
    REQUIRE(!swapchain->waited, XR_ERROR_LAYER_INVALID);
    REQUIRE(view->image.layer == 0, XR_ERROR_VALIDATION_FAILURE);
    REQUIRE(rect.x >= 0 && rect.y >= 0 && rect.width > 0 && rect.height > 0, XR_ERROR_SWAPCHAIN_RECT_INVALID);
    REQUIRE(rect.x + rect.width <= (int)swapchain->width && rect.y + rect.height <= (int)swapchain->height,
            XR_ERROR_SWAPCHAIN_RECT_INVALID);
    REQUIRE(fabsf(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z + turn.w * turn.w - 1.0f) < 0.01f,
            XR_ERROR_POSE_INVALID);
    REQUIRE(view->fov.left == fov.left && view->fov.up == fov.up, XR_ERROR_VALIDATION_FAILURE);
    snprintf(path, sizeof path, "%s/frame_%04d_eye_%d.raw", runtime.script.out, runtime.frame - 1, eye);
    REQUIRE(write_image(swapchain, swapchain->released, path), XR_ERROR_RUNTIME_FAILURE);
    return XR_SUCCESS;
}

static XrResult show_layer(const XrFrameEndInfo *info) {
    const XrCompositionLayerProjection *layer = info->layers[0];
    REQUIRE(layer, XR_ERROR_LAYER_INVALID);
    REQUIRE(layer->head.type == XR_TYPE_COMPOSITION_LAYER_PROJECTION, XR_ERROR_LAYER_INVALID);
    REQUIRE(layer->space == SPACE && runtime.space, XR_ERROR_HANDLE_INVALID);
    REQUIRE(layer->view_count == EYES, XR_ERROR_VALIDATION_FAILURE);
    for (int eye = 0; eye < EYES; eye++) {
        XrResult result = show(&layer->views[eye], eye);
        if (result) return result;
    }
    return XR_SUCCESS;
}

XrResult xrEndFrame(XrSession session, const XrFrameEndInfo *info) {
    REQUIRE(session == SESSION && runtime.session, XR_ERROR_HANDLE_INVALID);
    if (session_result()) return session_result();
    REQUIRE(info->head.type == XR_TYPE_FRAME_END_INFO, XR_ERROR_VALIDATION_FAILURE);
    REQUIRE(runtime.running, XR_ERROR_SESSION_NOT_RUNNING);
    REQUIRE(runtime.frame_begun, XR_ERROR_CALL_ORDER_INVALID);
    runtime.frame_begun = 0;
    REQUIRE(info->time == runtime.time, XR_ERROR_TIME_INVALID);
    REQUIRE(info->blend_mode == XR_ENVIRONMENT_BLEND_MODE_OPAQUE, XR_ERROR_ENVIRONMENT_BLEND_MODE_UNSUPPORTED);
    REQUIRE(info->layer_count <= 1, XR_ERROR_LAYER_LIMIT_EXCEEDED);
    XrResult result = info->layer_count ? show_layer(info) : XR_SUCCESS;
    note("frame %d with %u layers", runtime.frame - 1, info->layer_count);
    /* Like a real one, the session becomes visible, and gets the focus, once frames come. */
    runtime.synchronised++;
    if (runtime.state == XR_SESSION_STATE_SYNCHRONIZED && runtime.synchronised == 1)
        push_state(XR_SESSION_STATE_VISIBLE);
    else if (runtime.state == XR_SESSION_STATE_VISIBLE && runtime.synchronised == 2)
        push_state(XR_SESSION_STATE_FOCUSED);
    return result;
}
