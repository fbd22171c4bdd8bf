// The texels of the search: each stands for one of the STEP x STEP texels of the picture that it covers.

ivec2 full_texel(ivec2 small, ivec2 full_size) {
    return min(small * STEP + STEP / 2, full_size - 1);
}
