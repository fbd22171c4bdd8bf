#version 450
#include "per_invocation.glsl"

// A part of a texture as grey or coloured light, by its range of values.

#if !HAS_SHOWN_TEXTURE
#elif ARRAY
layout(set = 0, binding = 0) uniform sampler2DArray shown_texture;
#else
layout(set = 0, binding = 0) uniform sampler2D shown_texture;
#endif

layout(push_constant) uniform Push {
    vec2 corner;    // of the part, in uv
    vec2 part;      // size of the part, in uv
    float lowest;   // shown as black
    float highest;  // shown as white
    int channel;    // 0 to 3, or -1 for red, green and blue
    int mip;
    int layer;
} push;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

void main() {
#if !HAS_SHOWN_TEXTURE
    out_color = vec4(0.0, 0.0, 0.0, 1.0);
#else
#if ARRAY
    ivec2 size = textureSize(shown_texture, push.mip).xy;
#else
    ivec2 size = textureSize(shown_texture, push.mip);
#endif
    vec2 place = push.corner + uv * push.part;
    ivec2 texel = clamp(ivec2(place * vec2(size)), ivec2(0), size - 1);
#if ARRAY
    vec4 value = texelFetch(shown_texture, ivec3(texel, push.layer), push.mip);
#else
    vec4 value = texelFetch(shown_texture, texel, push.mip);
#endif
    int channel = per_invocation(push.channel, int(gl_FragCoord.x));
    vec3 color = channel < 0 ? value.rgb : vec3(value[channel]);
    bool finite = !any(isnan(color)) && !any(isinf(color));
    color = (color - push.lowest) / (push.highest - push.lowest);
    out_color = vec4(finite ? clamp(color, 0.0, 1.0) : vec3(1.0, 0.0, 1.0), 1.0);
#endif
}
