// The camera of this view, filled by the node `views`.
#include "views.glsl"

struct CameraOfView {
    mat4 view;
    mat4 projection;
    mat4 view_projection;
    mat4 inverse_view_projection;
    vec3 position;
    float near;
    vec2 extent;
    float time;
    uint layers;  // instances that have none of them are not drawn
};

layout(set = 0, binding = 0) uniform CameraBlock {
    CameraOfView of_view[VIEWS];
} camera;
#define camera camera.of_view[VIEW]

// World-space position of a texel: uv with (0, 0) in the top left corner, reversed depth (0 is infinitely far).
vec3 world_position(vec2 uv, float depth) {
    vec4 clip = vec4(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0, depth, 1.0);
    vec4 world = camera.inverse_view_projection * clip;
    return world.xyz / world.w;
}

// Unit vector from the camera through a texel. It comes from the slope: positions on a very close near plane differ from the
// camera's by no more than rounding.
vec3 world_ray(vec2 uv) {
    vec2 ndc = vec2(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0);
    vec2 slope = (ndc + camera.projection[2].xy) / vec2(camera.projection[0][0], camera.projection[1][1]);
    return normalize(vec3(slope, -1.0) * mat3(camera.view));  // the transposed rotation is its inverse
}

// Distance along the view axis, in metres, of a reversed infinite depth; at most 1e8.
float linear_depth(float depth) {
    return camera.near / max(depth, 1e-8 * camera.near);
}
