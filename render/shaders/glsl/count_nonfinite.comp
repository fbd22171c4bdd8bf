#version 450

// Counts the texels that have a NaN in any channel, and those that have an infinity and no NaN, and finds the first of
// both: its number is kept inverted, so that 0 is none. The texels are a copy of one mip of one layer of a texture. HALF, FLOAT or PACKED (b10g11r11) says how a channel is encoded, CHANNELS how many
// channels a texel has. These are defines, and no branch depends on push constants alone: lavapipe compiles a shader
// again for each value of those.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Texels { uint texels[]; };
layout(set = 0, binding = 1) buffer Counts { uint counts[]; };
layout(push_constant) uniform Push { uint count; uint slot; uint first; };

const uint FINITE = 0u, INFINITE = 1u, NAN = 2u;

uint kind(uint bits, uint exponent_bits, uint mantissa_bits) {
    uint mantissa = bitfieldExtract(bits, 0, int(mantissa_bits));
    uint exponent = bitfieldExtract(bits, int(mantissa_bits), int(exponent_bits));
    if (exponent != (1u << exponent_bits) - 1u) return FINITE;
    return mantissa == 0u ? INFINITE : NAN;
}

uint kind_of_texel(uint texel) {
#if defined(PACKED)
    uint word = texels[texel];
    return max(max(kind(word, 5u, 6u), kind(word >> 11, 5u, 6u)), kind(word >> 22, 5u, 5u));
#else
    uint found = FINITE;
    for (uint channel = 0u; channel < CHANNELS; ++channel) {
        uint number = texel * CHANNELS + channel;
#if defined(HALF)
        found = max(found, kind(texels[number >> 1] >> (16u * (number & 1u)), 5u, 10u));
#else
        found = max(found, kind(texels[number], 8u, 23u));
#endif
    }
    return found;
#endif
}

void main() {
    uint texel = gl_GlobalInvocationID.y * gl_NumWorkGroups.x * gl_WorkGroupSize.x + gl_GlobalInvocationID.x;
    if (texel >= count) return;
    uint found = kind_of_texel(texel);
    if (found == FINITE) return;
    atomicAdd(counts[3u * slot + (found == NAN ? 0u : 1u)], 1u);
    atomicMax(counts[3u * slot + 2u], ~(first + texel));
}
