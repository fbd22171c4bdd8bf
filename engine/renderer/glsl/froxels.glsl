// Froxels: cells of a view along its rays. A texture has them as 8 x 8 tiles, one for each slice from near to far. A
// tile's outermost texels are rays through the edges of the picture, so that neighbouring tiles of a screenshot meet.

const ivec2 MOST_TILES = ivec2(8, 8);

// Tiles of a texture along each side. A texture of fewer texels than tiles has one texel a tile, and fewer slices.
ivec2 tile_count(ivec2 size) {
    return min(MOST_TILES, size);
}

// Size of a tile of a texture, in texels.
ivec2 tile_size(ivec2 size) {
    return size / tile_count(size);
}

int slice_count(ivec2 size) {
    return tile_count(size).x * tile_count(size).y;
}

ivec2 tile_corner(int slice, ivec2 size) {
    int columns = tile_count(size).x;
    return ivec2(slice % columns, slice / columns) * tile_size(size);
}

// Place in the picture of a tile's texel.
vec2 froxel_uv(ivec2 cell, ivec2 tile) {
    return mix(vec2(0.5), vec2(cell) / vec2(max(tile - 1, ivec2(1))), greaterThan(tile, ivec2(1)));
}

// Where a slice begins, in metres along a ray. Slices grow with distance, except in an orthographic view.
float slice_begin(float slice, int slices, float range) {
    return range * pow(slice / float(slices), mix(2.0, 1.0, parallel_rays()));
}

// The inverse of slice_begin, between slices, too.
float slice_at(float away, int slices, float range) {
    return float(slices) * pow(clamp(away / range, 0.0, 1.0), mix(0.5, 1.0, parallel_rays()));
}
