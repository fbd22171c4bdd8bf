vec3 patterned(vec3 texel) {
    return mix(vec3(1.0), texel, parameters.strength.y);
}
