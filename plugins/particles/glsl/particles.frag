#version 450
#include "camera.glsl"

// A round particle that fades out towards its edge, and near opaque surfaces.

layout(set = 0, binding = 2) uniform sampler2DView depth;
layout(set = 0, binding = 3) uniform Settings {
    float brightness;
} settings;

layout(location = 0) in vec2 corner;
layout(location = 1) flat in vec4 color;
layout(location = 2) flat in vec2 surface;

layout(location = 0) out vec4 out_hdr;  // premultiplied

void main() {
    float opaque = texel_of_view(depth, ivec2(gl_FragCoord.xy), 0).r;
    float inside = max(0.0, 1.0 - dot(corner, corner));
    float gap = linear_depth(opaque) - linear_depth(gl_FragCoord.z);
    float open = clamp(gap / max(surface.x, 1e-6), 0.0, 1.0);
    float alpha = color.a * inside * inside * open;
    out_hdr = vec4(color.rgb * settings.brightness * alpha, alpha * (1.0 - surface.y));
}
