// The buffer of the reflections of all probes, in half precision.

const int STORED_TEXELS = 6 * (64 * 64 + 32 * 32 + 16 * 16 + 8 * 8 + 4 * 4);  // of a probe

// Place of a texel (x, y, face) of a mip whose first texel is `first`.
int store_place(int number, int first, ivec3 at, int side) {
    return number * STORED_TEXELS + first + (at.z * side + at.y) * side + at.x;
}

uvec2 packed_light(vec3 light) {
    return uvec2(packHalf2x16(light.rg), packHalf2x16(vec2(light.b, 0.0)));
}

vec3 unpacked_light(uvec2 light) {
    return vec3(unpackHalf2x16(light.x), unpackHalf2x16(light.y).x);
}
