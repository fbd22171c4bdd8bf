// Keys of a radix sort: x is what is sorted by, y the place of the particle.

layout(local_size_x = 256) in;

const uint DIGITS = 256u;

// The digit that this pass sorts by.
uint digit_of(uvec2 key) {
    return (key.x >> SHIFT) & (DIGITS - 1u);
}
