#version 450
#include "catmull_rom.glsl"
#include "compressed.glsl"
#include "stochastic_rounding.glsl"
#include "ycocg.glsl"

layout(set = 0, binding = 0) uniform sampler2D source;       // the rendered picture
layout(set = 0, binding = 1) uniform sampler2D accumulated;  // rgb: colour; a: see Past
layout(set = 0, binding = 2) uniform sampler2D depth;
layout(set = 0, binding = 3) uniform sampler2D previous_depth;
layout(set = 0, binding = 4) uniform sampler2D motion_vectors;
layout(set = 0, binding = 5) uniform Settings {
    float accumulation;
    float variance_gamma;
} settings;
layout(push_constant) uniform Push {
    int frame;
    float right;  // offset of the rendered picture, in its texels
    float down;
} push;

#include "small_lamps.glsl"
#include "surface_then.glsl"

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

// A sample's weight falls with the square of its distance: in texels of the picture where it accumulates (a Gaussian a
// little wider than a texel), in rendered texels where it stands in for samples that are missing.
const float OWN_FALLOFF = 4.0;
const float WIDE_FALLOFF = 2.3;
// Mean weight of the samples in a texel of the picture, for each one in it: the integral of the Gaussian.
const float MEAN_WEIGHT = 3.1416 / OWN_FALLOFF;
// Weight below which neighbouring samples stand in.
const float ENOUGH = 0.2;
// Samples that a moving texel accumulates. Each resampling blurs a little.
const float MOVING = 5.0;
// The same for a surface that turns into view, and behind transparent ones, whose motion is unknown.
const float UNSURE = 0.7;
// Difference between the means of the history and of the new frame, in standard deviations: from the first on the
// history is clipped, from the second on as far as it can be.
const float SAME = 0.25;
const float CHANGED = 0.6;
// Motion in texels of the picture that is none.
const float STILL = 0.02;
// Largest number of consecutive frames whose samples all miss a lamp as wide as a rendered texel.
const float LONGEST_GAP = 3.0;
// Limit of the weight.
const float MOST_WEIGHT = 63.0;
// Difference of the means that is seen as none.
const float NOISE = 0.004;

// What is known of the history of a texel: the weight of its samples, the number of last frames in which no sample hit
// the small lamp that it shows, and whether it moved. The sign says the last.
struct Past {
    float weight;
    float missed;
    bool moved;
};

Past past_of(float stored) {
    float missed = floor(abs(stored) / (MOST_WEIGHT + 1.0));
    return Past(abs(stored) - missed * (MOST_WEIGHT + 1.0), missed, stored < 0.0);
}

float stored(Past past) {
    return (min(past.weight, MOST_WEIGHT) + past.missed * (MOST_WEIGHT + 1.0)) * (past.moved ? -1.0 : 1.0);
}

struct Neighbourhood {
    vec3 own;         // sum of the colours by their weight in this texel
    float own_weight;
    vec3 soft;        // the same by wider weights
    float soft_weight;
    vec3 wide;        // interpolated colour
    vec3 mean;
    vec3 deviation;
    vec3 low;
    vec3 high;
    vec3 mean_then;   // of the history, at the same places
    vec3 deviation_then;
};

// The samples around a texel, and the history at their places. `at` is the position in the rendered picture without
// jitter, `then` the position in the history, `ratio` the size of a rendered texel in texels of the picture.
Neighbourhood neighbourhood(ivec2 texel, vec2 at, vec2 then, vec2 ratio, float range) {
    vec2 size = vec2(textureSize(source, 0)), jitter = vec2(push.right, push.down);
    ivec2 last = textureSize(source, 0) - 1;
    Neighbourhood result;
    vec3 squares = vec3(0.0), squares_then = vec3(0.0);
    result.own = result.soft = result.wide = result.mean = result.mean_then = vec3(0.0);
    result.own_weight = result.soft_weight = 0.0;
    result.low = vec3(BRIGHTEST);
    result.high = vec3(-BRIGHTEST);
    float wide_weight = 0.0;
    for (int i = 0; i < 9; ++i) {
        ivec2 place = clamp(texel + ivec2(i % 3, i / 3) - 1, ivec2(0), last);
        vec3 color = to_ycocg(compress(light_at(place, last), range));
        vec2 away = vec2(place) + 0.5 - jitter - at;
        float square = dot(away * ratio, away * ratio);
        float own = exp(-OWN_FALLOFF * square), soft = exp(-OWN_FALLOFF / ratio.y * square);
        float wide = exp(-WIDE_FALLOFF * dot(away, away));
        result.own += own * color;
        result.own_weight += own;
        result.soft += soft * color;
        result.soft_weight += soft;
        result.wide += wide * color;
        wide_weight += wide;
        result.mean += color / 9.0;
        squares += color * color / 9.0;
        result.low = min(result.low, color);
        result.high = max(result.high, color);
        vec3 before = to_ycocg(compress(textureLod(accumulated, then + away / size, 0.0).rgb, range));
        result.mean_then += before / 9.0;
        squares_then += before * before / 9.0;
    }
    result.wide /= wide_weight;
    result.deviation = sqrt(max(squares - result.mean * result.mean, 0.0));
    result.deviation_then = sqrt(max(squares_then - result.mean_then * result.mean_then, 0.0));
    return result;
}

// How far the history shows another picture than the new frame does, from 0 to 1. Details that are smaller than a
// rendered texel are missing in the samples of single frames, which is no change.
float change(Neighbourhood now) {
    vec3 apart = max(abs(now.mean - now.mean_then) - NOISE, 0.0);
    vec3 units = apart / max(max(now.deviation, now.deviation_then), 1e-4);
    return smoothstep(SAME, CHANGED, max(units.x, max(units.y, units.z)));
}

// Whether the history around a position was still.
bool was_still(vec2 then, vec2 ratio) {
    vec2 extent = vec2(textureSize(accumulated, 0));
    float least = 1.0;
    for (int i = 0; i < 9; ++i) {
        vec2 place = then * extent + vec2(i % 3 - 1, i / 3 - 1) * ratio;
        least = min(least, texelFetch(accumulated, ivec2(clamp(place, vec2(0.0), extent - 1.0)), 0).a);
    }
    return least >= 0.0;
}

vec3 fitting_history(vec3 past, Neighbourhood now, float brightest, float changed) {
    float lamp = smoothstep(SURFACE, LAMP, brightest);
    vec3 farthest = lamp * max(now.high - now.mean, now.mean - now.low);
    vec3 fitting = clipped(past, now.mean, max(settings.variance_gamma * now.deviation, farthest));
    return mix(past, fitting, changed);
}

// Weight that the history of a texel may have, for the weight of a single sample a texel.
float most_weight(ivec2 front, ivec2 sides, vec2 motion, vec2 extent, float density) {
    vec2 size = vec2(textureSize(depth, 0));
    float moving = clamp(length(motion * extent) * 4.0, 0.0, 1.0);
    float trust = smoothstep(0.5, 0.95, width_then(front, sides, size, motion));
    float still = MEAN_WEIGHT * settings.accumulation;
    return mix(MEAN_WEIGHT * UNSURE, mix(still, min(still, MEAN_WEIGHT * MOVING * density), moving), trust);
}

void main() {
    vec2 size = vec2(textureSize(source, 0)), extent = gl_FragCoord.xy / uv, ratio = extent / size, at = uv * size;
    ivec2 last = textureSize(source, 0) - 1;
    ivec2 texel = clamp(ivec2(floor(at + vec2(push.right, push.down))), ivec2(0), last);
    ivec2 front = nearest_around(texel, last);
    vec2 motion = texelFetch(motion_vectors, front, 0).rg;
    vec2 then = uv - motion;

    float d = depth_now(front);
    ivec2 sides = along_surface(front, d);
    vec2 depths = depths_then(front, d, sides, size, motion, then);
    Past past = Past(0.0, 0.0, false);
    vec3 history = vec3(0.0);
    if (all(greaterThanEqual(then, vec2(0.0))) && all(lessThanEqual(then, vec2(1.0))) && !was_hidden(depths)) {
        ivec2 before = textureSize(accumulated, 0);
        past = past_of(texelFetch(accumulated, min(ivec2(then * vec2(before)), before - 1), 0).a);
        history = catmull_rom(accumulated, then);
    }
    float density = 1.0 / (ratio.x * ratio.y), hidden = clamp(1.0 - texelFetch(source, texel, 0).a, 0.0, 1.0);
    float most = most_weight(front, sides, motion, extent, density);
    past.weight = min(past.weight, mix(most, MEAN_WEIGHT * UNSURE, hidden));

    float moving = clamp(length(motion * extent) * 4.0, 0.0, 1.0);
    bool moves = length(motion * extent) > STILL;
    bool same = moves ? all(lessThan(abs(depths), vec2(1.0))) : was_still(then, ratio);
    float brightest = brightest_within(1, texel, last);
    float range = compression(max(brightest, luminance(history)));
    Neighbourhood now = neighbourhood(texel, at, then, ratio, range);
    float changed = change(now);
    vec3 seen = to_ycocg(compress(history, range));
    vec3 fitting = fitting_history(seen, now, brightest, same ? changed : 1.0);
    bool missed = fitting.x < seen.x && past.weight > 0.0 && past.missed < LONGEST_GAP / density
        && is_missed_lamp(texel, last, then);
    if (missed) {
        fitting = seen;
    } else {
        // A history that does not fit is of something else, which has moved, or of another light.
        float kept = length(fitting - now.mean) / max(length(seen - now.mean), 1e-4);
        past.weight *= min(kept * kept, 1.0);
    }
    // Few frames make a texel that moves or changes. Narrow weights would show which texels they have samples in.
    float few = max(moving, changed), own_weight = mix(now.own_weight, now.soft_weight, few);
    vec3 own = mix(now.own, now.soft, few);
    float short_of = max(ENOUGH - past.weight - own_weight, 0.0);
    float total = past.weight + own_weight + short_of;
    vec3 color = (past.weight * fitting + own + short_of * now.wide) / total;
    out_color = vec4(
        rounded(max(expand(from_ycocg(color), range), 0.0), push.frame),
        stored(Past(total, missed ? past.missed + 1.0 : 0.0, moves))
    );
}
