// A 3 x 3 tent: what bilinear enlarging would leave blocky comes out smooth.

vec3 tent(sampler2D picture, vec2 at) {
    vec2 texel = 1.0 / vec2(textureSize(picture, 0));
    vec3 sum = 4.0 * texture(picture, at).rgb;
    for (int i = -1; i <= 1; i += 2) {
        sum += 2.0 * texture(picture, at + texel * vec2(i, 0)).rgb;
        sum += 2.0 * texture(picture, at + texel * vec2(0, i)).rgb;
        sum += texture(picture, at + texel * vec2(i, -1)).rgb;
        sum += texture(picture, at + texel * vec2(i, 1)).rgb;
    }
    return sum / 16.0;
}
