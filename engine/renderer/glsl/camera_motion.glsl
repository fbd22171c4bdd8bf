// The camera now and in the frame before, without jitter.
#include "views.glsl"

struct CameraMotionOfView {
    mat4 view_projection;
    mat4 previous_view_projection;
    mat4 reprojection;  // from clip space now to clip space then, for what stands still
    vec2 jitter;        // of the picture now, in clip space
};

layout(set = 0, binding = 11) uniform CameraMotionBlock {
    CameraMotionOfView of_view[VIEWS];
} camera_motion;
#define camera_motion camera_motion.of_view[VIEW]

// What lies outside every picture.
const vec2 MOTION_OUTSIDE = vec2(8.0);

// From where it was to where it is, in uv; points behind the camera of the frame before have left the picture.
vec2 motion_between(vec4 previous_clip, vec4 clip) {
    if (previous_clip.w <= 0.0) {
        return MOTION_OUTSIDE;
    }
    return (clip.xy / clip.w - previous_clip.xy / previous_clip.w) * vec2(0.5, -0.5);
}

// Where a texel that stands still was, in the clip space of the frame before. Divide by w.
vec4 previous_clip(vec2 uv, float depth) {
    vec2 position = vec2(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0) - camera_motion.jitter;
    return camera_motion.reprojection * vec4(position, depth, 1.0);
}

// The motion of a texel that stands still.
vec2 still_motion(vec2 uv, float depth) {
    vec2 position = vec2(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0) - camera_motion.jitter;
    return motion_between(previous_clip(uv, depth), vec4(position, depth, 1.0));
}
