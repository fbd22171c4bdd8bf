// Rounding of accumulated colours to 16-bit floats.

// Interleaved gradient noise from 0 to 1 (Jimenez 2014), shifted in each frame.
float noise(int frame) {
    vec2 place = gl_FragCoord.xy + 5.588238 * float(frame % 64);
    return fract(52.9829189 * fract(dot(place, vec2(0.06711056, 0.00583715))));
}

// Stochastic rounding to 16-bit floats, so that the mean over frames is `color`. Rounding to nearest would never
// accumulate small differences, and truncation, which devices may do, would darken the picture.
vec3 rounded(vec3 color, int frame) {
    vec3 unit = exp2(max(floor(log2(max(color, 1e-6))), -14.0) - 10.0);
    return floor(color / unit + noise(frame)) * unit;
}
