// The current and the previous camera, without jitter.
#include "views.glsl"

struct CameraMotionOfView {
    mat4 view_projection;
    mat4 previous_view_projection;
    mat4 reprojection;  // from current to previous clip space, for static points
    vec2 jitter;        // of the current picture, in clip space
};

layout(set = 0, binding = 11) uniform CameraMotionBlock {
    CameraMotionOfView of_view[VIEWS];
} camera_motion;
#define camera_motion camera_motion.of_view[VIEW]

// Motion that marks points without a previous position: always outside the picture.
const vec2 MOTION_OUTSIDE = vec2(8.0);

// Motion from the previous to the current position, in uv. Points behind the previous camera get MOTION_OUTSIDE.
vec2 motion_between(vec4 previous_clip, vec4 clip) {
    if (previous_clip.w <= 0.0) {
        return MOTION_OUTSIDE;
    }
    return (clip.xy / clip.w - previous_clip.xy / previous_clip.w) * vec2(0.5, -0.5);
}

// Previous clip-space position of a static texel. Divide by w.
vec4 previous_clip(vec2 uv, float depth) {
    vec2 position = vec2(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0) - camera_motion.jitter;
    return camera_motion.reprojection * vec4(position, depth, 1.0);
}

// Motion of a static texel.
vec2 still_motion(vec2 uv, float depth) {
    vec2 position = vec2(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0) - camera_motion.jitter;
    return motion_between(previous_clip(uv, depth), vec4(position, depth, 1.0));
}
