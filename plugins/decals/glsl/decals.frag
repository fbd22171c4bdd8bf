#version 450
#include "camera.glsl"
#include "decals.glsl"

// What a decal makes of PROPERTY of the surface at a texel, with premultiplied alpha.

layout(set = 0, binding = 41) uniform sampler2DView depth;
layout(set = 0, binding = 42) uniform sampler2DArray images;  // premultiplied
layout(set = 0, binding = 43) uniform Settings {
    float opacity;
} settings;
#if PROPERTY == BEND
layout(set = 0, binding = 44) uniform sampler2DArray normals;
layout(set = 0, binding = 45) uniform sampler2DView surface_normals;
#endif

layout(location = 0) flat in vec4 to_box[3];
layout(location = 3) flat in vec3 towards;
layout(location = 4) flat in vec4 tint;
layout(location = 5) flat in vec4 limits;
layout(location = 6) flat in uvec2 layers;
layout(location = 0) out vec4 changed;

#include "depth_slope.glsl"

vec3 row_product(vec3 direction) {
    return vec3(dot(to_box[0].xyz, direction), dot(to_box[1].xyz, direction), dot(to_box[2].xyz, direction));
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    float d = texel_of_view(depth, texel, 0).r;
    vec3 position = world_position((vec2(texel) + 0.5) / vec2(textureSize(depth, 0).xy), d);
    vec3 place = row_product(position) + vec3(to_box[0].w, to_box[1].w, to_box[2].w);
    if (d <= 0.0 || any(greaterThan(abs(place), vec3(0.5)))) {
        discard;
    }
    mat3 to_view = mat3(camera.view);
    vec3 across = slope(texel, d, ivec2(1, 0)) * to_view, down = slope(texel, d, ivec2(0, 1)) * to_view;
    float facing = dot(normalize(cross(down, across)), towards);
    float share = clamp((facing - limits.y) / (limits.x - limits.y), 0.0, 1.0) * tint.a * settings.opacity;

    vec2 uv = vec2(0.5 + place.x, 0.5 - place.y);
    vec2 uv_across = row_product(across).xy * vec2(1.0, -1.0), uv_down = row_product(down).xy * vec2(1.0, -1.0);
    vec4 color = vec4(1.0);
    if (layers.x != NO_IMAGE) {
        color = textureGrad(images, vec3(uv, float(layers.x)), uv_across, uv_down);
    }
    float alpha = color.a * share;
#if PROPERTY == PAINT
    changed = vec4(color.rgb * tint.rgb * share, alpha);
#elif PROPERTY == BEND
    vec3 texture_normal = textureGrad(normals, vec3(uv, float(layers.y)), uv_across, uv_down).xyz * 2.0 - 1.0;
    vec3 right = vec3(to_box[0].xyz), n = normalize(texel_of_view(surface_normals, texel, 0).xyz);
    right = normalize(right - n * dot(n, right));
    vec3 up = cross(n, right) * (dot(cross(to_box[0].xyz, to_box[1].xyz), to_box[2].xyz) < 0.0 ? -1.0 : 1.0);
    changed = vec4(normalize(right * texture_normal.x + up * texture_normal.y + n * texture_normal.z) * alpha, alpha);
#elif PROPERTY == ROUGHEN
    changed = vec4(0.0, limits.z * alpha, 0.0, alpha);
#else
    changed = vec4(limits.w * alpha, 0.0, 0.0, alpha);
#endif
}
