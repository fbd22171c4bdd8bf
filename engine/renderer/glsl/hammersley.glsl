// Hammersley points, and GGX importance sampling of half vectors. Needs constants.glsl.

// The i-th of n points of the Hammersley set on the unit square.
vec2 hammersley(uint i, uint n) {
    return vec2((float(i) + 0.5) / float(n), float(bitfieldReverse(i)) * 2.3283064365386963e-10);
}

// Half vector around +Z with the density D(h) * cosine.
vec3 ggx_half_vector(vec2 chance, float alpha) {
    float cosine2 = (1.0 - chance.y) / (1.0 + (alpha * alpha - 1.0) * chance.y);
    float sine = sqrt(max(0.0, 1.0 - cosine2));
    return vec3(sine * cos(TWO_PI * chance.x), sine * sin(TWO_PI * chance.x), sqrt(cosine2));
}
