#version 450
#include "catmull_rom.glsl"
#include "compressed.glsl"
#include "stochastic_rounding.glsl"
#include "ycocg.glsl"

layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform sampler2D accumulated;  // rgb: accumulated colour; a: see Age
layout(set = 0, binding = 2) uniform sampler2D depth;
layout(set = 0, binding = 3) uniform sampler2D previous_depth;
layout(set = 0, binding = 4) uniform sampler2D motion_vectors;
layout(set = 0, binding = 5) uniform Settings {
    float feedback;
    float variance_gamma;
} settings;
layout(push_constant) uniform Push {
    int frame;
} push;

#include "small_lamps.glsl"
#include "surface_then.glsl"

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

// Least weight of the new frame where a surface turns into view.
const float TURNING_SHARE = 0.6;
// Largest number of consecutive frames whose samples all miss a disk as wide as a texel, with the jitter's order.
const float LONGEST_GAP = 3.0;
// Frames after which a texel's own samples are as good as those of its neighbours.
const float FEW_FRAMES = 4.0;
// Limit of the frame count.
const float MOST_FRAMES = 128.0;
// Least weight of the new frame where transparent surfaces hide everything behind, whose motion is all that is known.
const float TRANSPARENT_SHARE = 0.5;
// Least weight of the new frame where the picture moves.
const float MOVING_SHARE = 0.16;

// Statistics of the new frame around a texel, in compressed YCoCg.
struct Neighbourhood {
    vec3 center;
    vec3 blurred;
    vec3 mean;
    vec3 deviation;
    vec3 low;
    vec3 high;
};

Neighbourhood neighbourhood(ivec2 texel, ivec2 last, float weight) {
    Neighbourhood result;
    vec3 sum = vec3(0.0), squares = vec3(0.0), soft = vec3(0.0);
    result.low = vec3(BRIGHTEST);
    result.high = vec3(-BRIGHTEST);
    for (int y = -1; y <= 1; ++y) {
        for (int x = -1; x <= 1; ++x) {
            vec3 color = to_ycocg(compress(light_at(texel + ivec2(x, y), last), weight));
            sum += color;
            squares += color * color;
            soft += color * float((2 - abs(x)) * (2 - abs(y)));
            result.low = min(result.low, color);
            result.high = max(result.high, color);
            if (x == 0 && y == 0) {
                result.center = color;
            }
        }
    }
    result.blurred = soft / 16.0;
    result.mean = sum / 9.0;
    result.deviation = sqrt(max(squares / 9.0 - result.mean * result.mean, 0.0));
    return result;
}

// Numbers of frames: accumulated ones, and the last ones in which no sample hit the small lamp that the history shows.
struct Age {
    float frames;
    float missed;
};

Age age_of(float stored) {
    float missed = floor(stored / (2.0 * MOST_FRAMES));
    return Age(stored - missed * 2.0 * MOST_FRAMES, missed);
}

float stored(Age age) {
    return min(age.frames, MOST_FRAMES) + age.missed * 2.0 * MOST_FRAMES;
}

void main() {
    ivec2 size = textureSize(source, 0), last = size - 1;
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 front = nearest_around(texel, last);
    vec2 motion = texelFetch(motion_vectors, front, 0).rg;
    vec2 then = uv - motion;

    float d = depth_now(front);
    ivec2 sides = along_surface(front, d);
    Age age = Age(0.0, 0.0);
    vec3 history = vec3(0.0);
    if (all(greaterThanEqual(then, vec2(0.0))) && all(lessThanEqual(then, vec2(1.0)))
        && !was_hidden(depths_then(front, d, sides, vec2(size), motion, then))) {
        ivec2 before = textureSize(accumulated, 0);
        age = age_of(texelFetch(accumulated, min(ivec2(then * vec2(before)), before - 1), 0).a);
        history = catmull_rom(accumulated, then);
    }
    float brightest = brightest_within(1, texel, last);
    float weight = compression(max(brightest, luminance(history)));
    Neighbourhood now = neighbourhood(texel, last, weight);
    if (age.frames < 0.5) {
        // No history: the new frame alone, with softened edges.
        out_color = vec4(expand(from_ycocg(now.blurred), weight), stored(Age(1.0, 0.0)));
        return;
    }
    vec3 past = to_ycocg(compress(history, weight));
    // Few samples hit a small lamp, so its light may exceed the mean by more than a multiple of the deviation. Around it,
    // resampling would leave a dark rim.
    float lamp = smoothstep(SURFACE, LAMP, brightest);
    vec3 farthest = lamp * max(now.high - now.mean, now.mean - now.low);
    vec3 fitting = clipped(past, now.mean, max(settings.variance_gamma * now.deviation, farthest));
    fitting.x = max(fitting.x, lamp * now.low.x);
    bool missed = fitting.x < past.x && age.missed < LONGEST_GAP && is_missed_lamp(texel, last, then);
    // Each resampling blurs a little, so moving texels accumulate fewer frames.
    float moving = clamp(length(motion * vec2(size)) * 4.0, 0.0, 1.0);
    float least = mix(1.0 - settings.feedback, max(1.0 - settings.feedback, MOVING_SHARE), moving);
    float trust = smoothstep(0.5, 0.95, width_then(front, sides, vec2(size), motion));
    float hidden = clamp(1.0 - texelFetch(source, texel, 0).a, 0.0, 1.0);
    float share = max(max(1.0 / (age.frames + 1.0), mix(TURNING_SHARE, least, trust)), TRANSPARENT_SHARE * hidden);
    // Edges that have just come into view are softened, as long as a few samples decide.
    vec3 fresh = mix(now.blurred, now.center, min(age.frames / FEW_FRAMES, 1.0));
    vec3 color = missed ? mix(history, light_at(texel, last), share)
                        : max(expand(from_ycocg(mix(fitting, fresh, share)), weight), 0.0);
    out_color = vec4(rounded(color, push.frame), stored(Age(age.frames + 1.0, missed ? age.missed + 1.0 : 0.0)));
}
