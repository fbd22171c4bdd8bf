// What the passes at half resolution share. Radii are in texels of the half picture.
#include "color.glsl"

// Weight of a texel in the layers, by its blur radius. Nearly sharp texels are excluded: at half resolution, small
// lamps would glow.
float share_of(float radius) {
    return smoothstep(0.35, 1.5, radius);
}

// Weight of a texel's radius in the mean of a mip, by its light with a share in alpha. Light gets the radius of its own
// source: a lamp that is small in a mip's texel does not spread as far as what is behind it.
float weight_of_radius(vec4 light) {
    return luminance(light.rgb) + 0.01 * light.a;
}

// Share of the mean over a square of texels in a layer, by the radius of the disk that was sampled. Samples of small
// disks are close together, and the mean would blur the disk.
float filled(float reach) {
    return smoothstep(6.0, 12.0, reach);
}
