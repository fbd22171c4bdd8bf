// Interleaved gradient noise (Jimenez 2014), from 0 to below 1: any 3 x 3 texels have evenly spread values, and each of
// 64 frames another pattern. In fixed point, 2^32 to 1: where the noise falls from 1 to 0, floats are rounded by one
// compiler to this side and by another to that.
float gradient_noise(ivec2 texel, int frame) {
    uvec2 place = uvec2(texel) * uvec2(288237660u, 25070368u);        // 0.06711056 and 0.00583715
    uint along = place.x + place.y + uint(frame % 64) * 1750839832u;  // 0.40765
    return float(((along >> 8) * 13564u) >> 8) / 16777216.0;          // 52.984
}

float gradient_noise(ivec2 texel) {
    return gradient_noise(texel, 0);
}
