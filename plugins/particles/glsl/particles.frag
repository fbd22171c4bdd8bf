#version 450
#include "camera.glsl"
#include "lighting.glsl"
#if HAS_LIT
#include "sun_maps.glsl"
#endif
#include "through_air.glsl"

// A particle with an image, or a round one that fades out towards its edge; both fade out near opaque surfaces.

layout(set = 0, binding = 2) uniform sampler2DView depth;
layout(set = 0, binding = 7) uniform Settings {
    float brightness;
} settings;

layout(set = 0, binding = 8) uniform sampler2DArray images;  // premultiplied

layout(location = 0) in vec2 corner;
layout(location = 1) flat in vec4 color;
layout(location = 2) flat in vec3 surface;
layout(location = 3) in vec3 world;
layout(location = 4) flat in int layer;

layout(location = 0) out vec4 out_hdr;  // premultiplied

void main() {
    float opaque = texel_of_view(depth, ivec2(gl_FragCoord.xy), 0).r;
    float inside = max(0.0, 1.0 - dot(corner, corner));
    float gap = linear_depth(opaque) - linear_depth(gl_FragCoord.z);
    float open = clamp(gap / max(surface.x, 1e-6), 0.0, 1.0);
    vec4 shown = vec4(color.rgb, color.a * inside * inside);
    if (layer >= 0) {
        vec4 texel = texture(images, vec3(0.5 + 0.5 * corner.x, 0.5 - 0.5 * corner.y, float(layer)));
        shown = vec4(color.rgb * texel.rgb / max(texel.a, 1e-6), color.a * texel.a);
    }
    float alpha = shown.a * open;
    vec3 light = shown.rgb;
#if HAS_LIT
    if (surface.z > 0.0) {
        vec3 towards = towards_camera(world);
        vec3 right = vec3(camera.view[0][0], camera.view[1][0], camera.view[2][0]);
        vec3 up = vec3(camera.view[0][1], camera.view[1][1], camera.view[2][1]);
        vec3 normal = normalize(right * corner.x + up * corner.y + towards * sqrt(inside));
        float sun = sun_reaches_surface(world, normal, int(gl_FragCoord.x));
        light = lit(world, normal, towards, shown.rgb, 0.0, 1.0, 1.0, sun, vec4(1.0), vec4(1.0));
    }
#endif
    float hides = 1.0 - surface.y;
    light = through_air(light * settings.brightness, vec3(hides), world);
    out_hdr = vec4(light * alpha, alpha * hides);
}
