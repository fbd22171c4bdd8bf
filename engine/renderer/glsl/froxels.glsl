// Froxels: cells of a view along its rays. A texture has them as 8 x 8 tiles, one for each slice from near to far. A
// tile's outermost texels are rays through the edges of the picture, so that neighbouring tiles of a screenshot meet.

const ivec2 TILES = ivec2(8, 8);
const int SLICES = 64;

// Size of a tile of a texture, in texels.
ivec2 tile_size(ivec2 size) {
    return max(size / TILES, ivec2(1));
}

ivec2 tile_corner(int slice, ivec2 tile) {
    return ivec2(slice % TILES.x, slice / TILES.x) * tile;
}

// Place in the picture of a tile's texel.
vec2 froxel_uv(ivec2 cell, ivec2 tile) {
    return mix(vec2(0.5), vec2(cell) / vec2(max(tile - 1, ivec2(1))), greaterThan(tile, ivec2(1)));
}

// Where a slice begins, in metres along a ray. Slices grow with distance, except in an orthographic view.
float slice_begin(int slice, float range) {
    return range * pow(float(slice) / float(SLICES), mix(2.0, 1.0, parallel_rays()));
}

// The inverse of slice_begin, between slices, too.
float slice_at(float away, float range) {
    return float(SLICES) * pow(clamp(away / range, 0.0, 1.0), mix(0.5, 1.0, parallel_rays()));
}
