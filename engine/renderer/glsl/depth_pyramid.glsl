// The layout of a depth pyramid. Level 1 has a texel for each 2 x 2 texels of the picture, and each further level one for
// each 2 x 2 texels of the level before it; sizes are rounded up, so that texel p of the picture lies in texel p >> level.
// A texel holds the farthest depth of its part of the picture, which is the least.

const int LEVELS = 10;

ivec2 level_size(ivec2 picture, int level) {
    return (picture + (1 << level) - 1) >> level;
}

// The place of a level's first texel. Rows follow each other from the top.
int level_start(ivec2 picture, int level) {
    int start = 0;
    for (int finer = 1; finer < level; finer++) {
        ivec2 size = level_size(picture, finer);
        start += size.x * size.y;
    }
    return start;
}
