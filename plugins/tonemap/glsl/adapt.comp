#version 450
#include "luminance_bins.glsl"

layout(local_size_x = BINS) in;

layout(std430, set = 0, binding = 0) readonly buffer histograms {
    uvec2 sums[];
};
layout(std430, set = 0, binding = 1) readonly buffer last_exposure {
    float last_stops;
    float last_scale;  // 0 if there was no previous frame
};
layout(std430, set = 0, binding = 2) writeonly buffer exposure {
    float stops;         // exposure in stops
    float scale;         // exposure as a factor
    float target_stops;  // target of the adaptation, in stops
    float measured;      // mean luminance of the picture, in stops
};
layout(set = 0, binding = 3) uniform Settings {
    float darken;
    float brighten;
    float speed_to_light;
    float speed_to_dark;
    float ignore_dark;
    float ignore_bright;
} settings;
layout(push_constant) uniform Push {
    float seconds;
} push;

const float MIDDLE_GREY = 0.18;

shared float total[BINS], stops_at[BINS];  // per bin: weight, mean

void main() {
    int bin = int(gl_LocalInvocationIndex);
    vec2 sum = vec2(0.0);
    for (int tile = 0; tile < TILES * TILES; ++tile) {
        sum += vec2(sums[tile * BINS + bin]);
    }
    total[bin] = bin == 0 ? 0.0 : sum.x;
    stops_at[bin] = stops_of(bin, sum.y / max(sum.x, 1.0));
    barrier();
    if (bin != 0) {
        return;
    }
    float all = 0.0;
    for (int i = 1; i < BINS; ++i) {
        all += total[i];
    }
    // The mean between two percentiles, so that neither dark corners nor a lamp determine the exposure.
    float low = all * settings.ignore_dark, high = all * (1.0 - settings.ignore_bright);
    float passed = 0.0, weights = 0.0, mean = 0.0;
    for (int i = 1; i < BINS; ++i) {
        float inside = max(0.0, min(passed + total[i], high) - max(passed, low));
        mean += inside * stops_at[i];
        weights += inside;
        passed += total[i];
    }
    bool first = last_scale == 0.0;
    float before = first ? 0.0 : last_stops;
    float target = weights > 0.0 ? log2(MIDDLE_GREY) - mean / weights : before;
    target = clamp(target, -settings.darken, settings.brighten);
    float speed = target < before ? settings.speed_to_light : settings.speed_to_dark;
    float now = first ? target : mix(target, before, exp(-push.seconds * speed));
    stops = now;
    scale = exp2(now);
    target_stops = target;
    measured = weights > 0.0 ? mean / weights : LOWEST;
}
