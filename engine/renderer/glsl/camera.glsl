// The camera of this view, filled by the node `views`.
#include "views.glsl"
#include "projections.glsl"

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
    float mip_bias;
    vec2 jitter;  // offset of the picture, from -1 to 1 across it
};

layout(set = 0, binding = 0) uniform CameraBlock {
    CameraOfView of_view[VIEWS];
} camera;
#define camera camera.of_view[VIEW]

// Part by which thresholds of alpha differ in this sample of the texels: offsets in a row are spread evenly.
float alpha_turn() {
    return fract(0.5 * camera.jitter.x * camera.extent.x);
}

// World-space position of a texel: uv with (0, 0) in the top left corner, reversed depth.
vec3 world_position(vec2 uv, float depth) {
    vec4 clip = vec4(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0, depth, 1.0);
    vec4 world = camera.inverse_view_projection * clip;
    return world.xyz / world.w;
}

// 1 if the camera is orthographic, else 0.
float parallel_rays() {
    return parallel_rays(camera.projection);
}

// Direction in which the camera looks.
vec3 camera_forward() {
    return -vec3(camera.view[0][2], camera.view[1][2], camera.view[2][2]);
}

// Unit vector from a point towards the camera: the same for all points if the camera is orthographic.
vec3 towards_camera(vec3 position) {
    return normalize(mix(camera.position - position, -camera_forward(), parallel_rays()));
}

// Distance of a point from the camera, or from the plane where the rays of an orthographic one begin.
float distance_from_camera(vec3 position) {
    vec3 away = position - camera.position;
    return mix(length(away), dot(away, camera_forward()), parallel_rays());
}

// The inverse of world_position: uv of a point in front of the camera.
vec2 place_in_picture(vec3 position) {
    vec4 clip = camera.view_projection * vec4(position, 1.0);
    return vec2(0.5 + 0.5 * clip.x / clip.w, 0.5 - 0.5 * clip.y / clip.w);
}

// Unit vector from the camera through a texel. It comes from the slope: positions on a very close near plane differ from the
// camera's by no more than rounding.
vec3 world_ray(vec2 uv) {
    vec2 ndc = vec2(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0);
    vec2 slope = (ndc + camera.projection[2].xy) / vec2(camera.projection[0][0], camera.projection[1][1]);
    slope *= 1.0 - parallel_rays();
    return normalize(vec3(slope, -1.0) * mat3(camera.view));  // the transposed rotation is its inverse
}

// Where the ray through a texel begins: at the camera, or beside it if the camera is orthographic.
vec3 ray_origin(vec2 uv) {
    vec3 near = world_position(uv, 1.0), forward = camera_forward();
    return mix(camera.position, near - forward * dot(near - camera.position, forward), parallel_rays());
}

// Distance along the view axis, in metres, of a reversed depth. In perspective depth 0 is infinitely far: at most 1e8.
float linear_depth(float depth) {
    float in_perspective = camera.near / max(depth, 1e-8 * camera.near);
    float in_parallel = (camera.projection[3][2] - depth) / max(camera.projection[2][2], 1e-9);
    return mix(in_perspective, in_parallel, parallel_rays());
}

// See projections.glsl.
float depth_unit(float depth) {
    return depth_unit(camera.projection, depth);
}
