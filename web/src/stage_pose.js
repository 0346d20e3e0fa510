/* Column-major matrix of a pose: position xyz, quaternion wxyz. */
export function writeMatrix(m, to, pose, from) {
    const w = pose[from + 3],
        x = pose[from + 4],
        y = pose[from + 5],
        z = pose[from + 6];
    m[to] = 1 - 2 * (y * y + z * z);
    m[to + 1] = 2 * (x * y + w * z);
    m[to + 2] = 2 * (x * z - w * y);
    m[to + 3] = 0;
    m[to + 4] = 2 * (x * y - w * z);
    m[to + 5] = 1 - 2 * (x * x + z * z);
    m[to + 6] = 2 * (y * z + w * x);
    m[to + 7] = 0;
    m[to + 8] = 2 * (x * z + w * y);
    m[to + 9] = 2 * (y * z - w * x);
    m[to + 10] = 1 - 2 * (x * x + y * y);
    m[to + 11] = 0;
    m[to + 12] = pose[from];
    m[to + 13] = pose[from + 1];
    m[to + 14] = pose[from + 2];
    m[to + 15] = 1;
}
