#version 450
#include "color.glsl"

layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform sampler2D table;
layout(set = 0, binding = 2) uniform Settings {
    float strength;
    int curve_size;
    vec3 curve_low;
    vec3 curve_high;
    int cube_size;
    vec3 cube_low;
    vec3 cube_high;
} settings;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

vec3 entry(int number) {
    int width = textureSize(table, 0).x;
    return texelFetch(table, ivec2(number % width, number / width), 0).rgb;
}

// Where a colour lies among `size` entries, from 0 to size - 1 along each axis.
vec3 among(vec3 color, vec3 low, vec3 high, int size) {
    return clamp((color - low) / (high - low), 0.0, 1.0) * float(size - 1);
}

vec3 curved(vec3 color) {
    vec3 at = among(color, settings.curve_low, settings.curve_high, settings.curve_size);
    ivec3 below = min(ivec3(at), settings.curve_size - 2);
    vec3 low = vec3(entry(below.r).r, entry(below.g).g, entry(below.b).b);
    vec3 high = vec3(entry(below.r + 1).r, entry(below.g + 1).g, entry(below.b + 1).b);
    return mix(low, high, at - vec3(below));
}

vec3 cube_entry(ivec3 at) {
    return entry(settings.curve_size + at.r + settings.cube_size * (at.g + settings.cube_size * at.b));
}

// Tetrahedral interpolation: from the lowest corner of a cell to the highest along its edges, the longest way first. Greys
// are mixed of the two greys beside them alone.
vec3 cubed(vec3 color) {
    const ivec3 R = ivec3(1, 0, 0), G = ivec3(0, 1, 0), B = ivec3(0, 0, 1);
    vec3 at = among(color, settings.cube_low, settings.cube_high, settings.cube_size);
    ivec3 low = min(ivec3(at), settings.cube_size - 2);
    vec3 f = at - vec3(low);
    ivec3 longest = f.r >= f.g ? (f.r >= f.b ? R : B) : (f.g >= f.b ? G : B);
    ivec3 shortest = f.b <= f.g ? (f.b <= f.r ? B : R) : (f.g <= f.r ? G : R);
    float most = max(f.r, max(f.g, f.b)), least = min(f.r, min(f.g, f.b));
    float middle = f.r + f.g + f.b - most - least;
    return (1.0 - most) * cube_entry(low) + (most - middle) * cube_entry(low + longest)
        + (middle - least) * cube_entry(low + 1 - shortest) + least * cube_entry(low + 1);
}

void main() {
    vec3 encoded = linear_to_srgb(texelFetch(source, ivec2(gl_FragCoord.xy), 0).rgb);
    vec3 graded = cubed(curved(encoded));
    out_color = vec4(srgb_to_linear(mix(encoded, graded, settings.strength)), 1.0);
}
