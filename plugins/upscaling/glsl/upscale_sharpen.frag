#version 450
#include "catmull_rom.glsl"
#include "sharpening.glsl"

layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform Settings {
    float sharpness;
} settings;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

// A picture of full size is sharpened. Where there are no motion vectors the source is the rendered picture, which is
// enlarged.
void main() {
    bool full = textureSize(source, 0) == ivec2(round(gl_FragCoord.xy / uv));
    vec3 color = full ? sharpened(source, ivec2(gl_FragCoord.xy), settings.sharpness) : catmull_rom(source, uv);
    out_color = vec4(min(color, HALF_MAX), 1.0);
}
