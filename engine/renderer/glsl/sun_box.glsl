// Part of the sun that a surface sees, by four texels of a map around a sphere (sun_box.py). texel_size is in metres.
float sun_in_box(sampler2D map, mat4 matrix, float texel_size, vec3 position, vec3 n) {
    vec3 at = (matrix * vec4(position + 2.0 * texel_size * n, 1.0)).xyz;
    vec2 size = vec2(textureSize(map, 0));
    vec2 texel = (at.xy * vec2(0.5, -0.5) + 0.5) * size - 0.5;
    float sum = 0.0;
    for (int i = 0; i < 4; ++i) {
        vec2 corner = floor(texel) + vec2(float(i & 1), float(i >> 1));
        vec2 weight = 1.0 - abs(texel - corner);
        bool inside = all(greaterThanEqual(corner, vec2(0.0))) && all(lessThan(corner, size));
        ivec2 place = ivec2(clamp(corner, vec2(0.0), size - 1.0));
        bool lit = !inside || texelFetch(map, place, 0).r <= at.z;
        sum += lit ? weight.x * weight.y : 0.0;
    }
    return sum;
}
