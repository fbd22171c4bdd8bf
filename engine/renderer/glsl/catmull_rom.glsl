// Catmull-Rom filter over 4 x 4 texels from five bilinear taps, without the corners (Jimenez 2016).
vec3 catmull_rom(sampler2D picture, vec2 at) {
    vec2 size = vec2(textureSize(picture, 0));
    vec2 position = at * size;
    vec2 center = floor(position - 0.5) + 0.5;
    vec2 f = position - center;
    vec2 w0 = f * (-0.5 + f * (1.0 - 0.5 * f));
    vec2 w1 = 1.0 + f * f * (-2.5 + 1.5 * f);
    vec2 w2 = f * (0.5 + f * (2.0 - 1.5 * f));
    vec2 w3 = f * f * (-0.5 + 0.5 * f);
    vec2 w12 = w1 + w2;
    vec2 t0 = (center - 1.0) / size;
    vec2 t12 = (center + w2 / w12) / size;
    vec2 t3 = (center + 2.0) / size;
    vec4 sum = vec4(texture(picture, t12).rgb, 1.0) * w12.x * w12.y;
    sum += vec4(texture(picture, vec2(t12.x, t0.y)).rgb, 1.0) * w12.x * w0.y;
    sum += vec4(texture(picture, vec2(t0.x, t12.y)).rgb, 1.0) * w0.x * w12.y;
    sum += vec4(texture(picture, vec2(t3.x, t12.y)).rgb, 1.0) * w3.x * w12.y;
    sum += vec4(texture(picture, vec2(t12.x, t3.y)).rgb, 1.0) * w12.x * w3.y;
    return max(sum.rgb / sum.a, 0.0);
}
