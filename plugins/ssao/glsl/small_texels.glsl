// A texel of the search covers STEP x STEP texels of the picture and represents one of them.

ivec2 full_texel(ivec2 small, ivec2 full_size) {
    return min(small * STEP + STEP / 2, full_size - 1);
}
