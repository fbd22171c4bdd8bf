// Colour: luminance, and the sRGB transfer functions of IEC 61966-2-1.

// Relative luminance of a linear colour with Rec. 709 primaries.
float luminance(vec3 linear) {
    return dot(linear, vec3(0.2126, 0.7152, 0.0722));
}

// Linear to sRGB-encoded; both in 0..1.
vec3 linear_to_srgb(vec3 linear) {
    vec3 c = clamp(linear, 0.0, 1.0);
    return mix(1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, 12.92 * c, lessThanEqual(c, vec3(0.0031308)));
}

// sRGB-encoded to linear; both in 0..1.
vec3 srgb_to_linear(vec3 encoded) {
    vec3 c = clamp(encoded, 0.0, 1.0);
    return mix(pow((c + 0.055) / 1.055, vec3(2.4)), c / 12.92, lessThanEqual(c, vec3(0.04045)));
}
