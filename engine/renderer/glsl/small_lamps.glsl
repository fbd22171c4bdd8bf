// The light of the new frame, and small lamps that its samples miss. For temporal effects: the shader that includes
// this declares the textures `source` and `accumulated`.
#include "color.glsl"

// Largest light, below the largest 16-bit float.
const float BRIGHTEST = 60000.0;
// Least luminance of a small lamp, and its least contrast to what is around it.
const float LEAST_LAMP = 0.3;
const float LAMP_CONTRAST = 4.0;

vec3 light_at(ivec2 texel, ivec2 last) {
    return clamp(texelFetch(source, clamp(texel, ivec2(0), last), 0).rgb, 0.0, BRIGHTEST);
}

// The largest luminance within `reach` texels.
float brightest_within(int reach, ivec2 texel, ivec2 last) {
    float brightest = 0.0;
    for (int y = -reach; y <= reach; ++y) {
        for (int x = -reach; x <= reach; ++x) {
            brightest = max(brightest, luminance(light_at(texel + ivec2(x, y), last)));
        }
    }
    return brightest;
}

// Whether the history has a lamp at `then` that is so small that the samples of this frame may have missed it: nothing
// is nearly as bright, neither in the history three texels away nor in the new frame up to two texels away.
bool is_missed_lamp(ivec2 texel, ivec2 last, vec2 then) {
    vec2 size = vec2(last + 1);
    float peak = 0.0, around = 0.0;
    for (int i = 0; i < 9; ++i) {
        vec2 side = vec2(i % 3 - 1, i / 3 - 1);
        peak = max(peak, luminance(textureLod(accumulated, then + side / size, 0.0).rgb));
        if (i != 4) {
            around = max(around, luminance(textureLod(accumulated, then + 3.0 * side / size, 0.0).rgb));
        }
    }
    return peak > max(LEAST_LAMP, LAMP_CONTRAST * max(around, brightest_within(2, texel, last)));
}
