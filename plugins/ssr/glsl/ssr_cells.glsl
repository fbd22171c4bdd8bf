// Cells of the picture: those of level l are 2^l texels wide and high, so level 0 is the depth itself. Each has the range
// of reversed depth in it: x is the nearest, y the farthest. Levels lie in a buffer as those of depth_pyramid.glsl.
#include "depth_pyramid.glsl"

const int COARSEST = 5;
