// Light from all sides in nine numbers (Ramamoorthi and Hanrahan 2001).

const int HARMONICS = 9;

// The values of the functions in a direction.
void harmonics(vec3 d, out float values[HARMONICS]) {
    values[0] = 0.282095;
    values[1] = 0.488603 * d.y;
    values[2] = 0.488603 * d.z;
    values[3] = 0.488603 * d.x;
    values[4] = 1.092548 * d.x * d.y;
    values[5] = 1.092548 * d.y * d.z;
    values[6] = 0.315392 * (3.0 * d.z * d.z - 1.0);
    values[7] = 1.092548 * d.x * d.z;
    values[8] = 0.546274 * (d.x * d.x - d.y * d.y);
}

// Factor of a number for the light of the hemisphere around a normal, weighted by the cosine and divided by pi.
float hemisphere(int number) {
    return number == 0 ? 1.0 : number < 4 ? 2.0 / 3.0 : 0.25;
}
