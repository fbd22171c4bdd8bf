// 3 x 3 tent filter. It avoids the blocky look of plain bilinear upsampling.

vec4 tent(sampler2D picture, vec2 at) {
    vec2 texel = 1.0 / vec2(textureSize(picture, 0));
    vec4 sum = 4.0 * texture(picture, at);
    for (int i = -1; i <= 1; i += 2) {
        sum += 2.0 * texture(picture, at + texel * vec2(i, 0));
        sum += 2.0 * texture(picture, at + texel * vec2(0, i));
        sum += texture(picture, at + texel * vec2(i, -1));
        sum += texture(picture, at + texel * vec2(i, 1));
    }
    return sum / 16.0;
}
