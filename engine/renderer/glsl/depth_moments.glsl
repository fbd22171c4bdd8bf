// How much light surfaces absorb before a depth, from power moments of their absorbance by depth: two sums a texel tell
// it for any number of surfaces, drawn in any order. Absorbances are binary logarithms: of 1, half of the light passes.
// Sources: Peters and Klein 2015 ("Moment Shadow Mapping"), Muenstermann et al. 2018 ("Moment-Based Order-Independent
// Transparency"); that a surface leaves out its own absorbance is ours.

const float ROUNDED = 5e-7;  // share of even moments that makes up for rounding to 32 bits

float absorbance_of(float alpha) {
    return -log2(1.0 - min(alpha, 0.9999));
}

// A distance in a logarithmic scale, from -1 at the nearest to 1 at the farthest that are told apart.
float moment_depth(float distance, float nearest, float farthest) {
    return clamp(2.0 * log(max(distance, 1e-6) / nearest) / log(farthest / nearest) - 1.0, -1.0, 1.0);
}

vec4 moments_of(float absorbance, float depth) {
    float square = depth * depth;
    return absorbance * vec4(depth, square, square * depth, square * square);
}

// The absorbance before a surface at a depth that absorbs `own` itself; `absorbance` and `moments` are the sums of all
// surfaces. It is exact for two. Of the absorbances that are possible with more, it is the middle.
float absorbed_before(float depth, float own, float absorbance, vec4 moments) {
    vec4 b = mix(moments / max(absorbance, 1e-6), vec4(0.0, 0.375, 0.0, 0.375), ROUNDED);
    // The matrix (1, b1, b2; b1, b2, b3; b2, b3, b4) as L D transposed(L), and v = inverse(L) (1, depth, depth^2).
    float d1 = max(b[1] - b[0] * b[0], 1e-8);
    float l21 = (b[2] - b[0] * b[1]) / d1;
    float d2 = max(b[3] - b[1] * b[1] - l21 * l21 * d1, 1e-8);
    float v1 = depth - b[0];
    float v2 = depth * depth - b[1] - l21 * v1;
    // All absorbance is at this depth and two others, low and high, which are the roots of a polynomial.
    float c2 = v2 / d2;
    float c1 = v1 / d1 - l21 * c2;
    float c0 = 1.0 - b[0] * c1 - b[1] * c2;
    float at_depth = 1.0 / (1.0 + v1 * v1 / d1 + v2 * v2 / d2);  // share of the absorbance, the most that may be here
    c2 = abs(c2) < 1e-9 ? 1e-9 : c2;
    float middle = -0.5 * c1 / c2;
    float apart = sqrt(max(middle * middle - c0 / c2, 0.0));
    float low = middle - apart, high = middle + apart;
    float before = 0.0;
    if (high < depth) {
        before = 1.0 - at_depth;
    } else if (low < depth) {
        float share = b[1] - (depth + high) * b[0] + depth * high;
        before = clamp(share / max((depth - low) * (high - low), 1e-9), 0.0, 1.0 - at_depth);
    }
    return absorbance * before + 0.5 * max(absorbance * at_depth - own, 0.0);
}
