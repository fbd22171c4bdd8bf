#version 450
#include "camera.glsl"
#if HAS_LIT
#include "lighting.glsl"
#endif

// A round particle that fades out towards its edge, and near opaque surfaces.

layout(set = 0, binding = 2) uniform sampler2DView depth;
layout(set = 0, binding = 7) uniform Settings {
    float brightness;
} settings;

layout(location = 0) in vec2 corner;
layout(location = 1) flat in vec4 color;
layout(location = 2) flat in vec3 surface;
layout(location = 3) in vec3 world;

layout(location = 0) out vec4 out_hdr;  // premultiplied

void main() {
    float opaque = texel_of_view(depth, ivec2(gl_FragCoord.xy), 0).r;
    float inside = max(0.0, 1.0 - dot(corner, corner));
    float gap = linear_depth(opaque) - linear_depth(gl_FragCoord.z);
    float open = clamp(gap / max(surface.x, 1e-6), 0.0, 1.0);
    float alpha = color.a * inside * inside * open;
    vec3 light = color.rgb;
#if HAS_LIT
    if (surface.z > 0.0) {
        vec3 towards = towards_camera(world);
        vec3 right = vec3(camera.view[0][0], camera.view[1][0], camera.view[2][0]);
        vec3 up = vec3(camera.view[0][1], camera.view[1][1], camera.view[2][1]);
        vec3 normal = normalize(right * corner.x + up * corner.y + towards * sqrt(inside));
        light = lit(world, normal, towards, color.rgb, 0.0, 1.0, 1.0, 1.0, vec4(1.0), vec4(1.0));
    }
#endif
    out_hdr = vec4(light * settings.brightness * alpha, alpha * (1.0 - surface.y));
}
