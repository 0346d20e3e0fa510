/* Convex hulls: { type: "hull", points: [x, y, z, ...], faces: [[corner, ...], ...], pos, rot }; corners counterclockwise
 * seen from outside. */
import { BufferAttribute, BufferGeometry } from "three";

const point = (shape, i) => shape.points.slice(3 * i, 3 * i + 3);

/* Unit normal of each face, by Newell, and its distance from the frame's origin. */
function planesOf(shape) {
    return shape.faces.map((face) => {
        const n = [0, 0, 0];
        face.forEach((corner, i) => {
            const a = point(shape, corner),
                b = point(shape, face[(i + 1) % face.length]);
            for (let k = 0; k < 3; k++) {
                const l = (k + 1) % 3,
                    m = (k + 2) % 3;
                n[k] += (a[l] - b[l]) * (a[m] + b[m]);
            }
        });
        const length = Math.hypot(...n) || 1,
            normal = n.map((v) => v / length),
            p = point(shape, face[0]);
        return { normal, offset: normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2] };
    });
}

/* Flat faces, each with corners of its own. */
export function hullGeometry(shape) {
    const position = [],
        normals = [],
        index = [],
        planes = planesOf(shape);
    shape.faces.forEach((face, f) => {
        const first = position.length / 3;
        for (const corner of face) {
            position.push(...point(shape, corner));
            normals.push(...planes[f].normal);
        }
        for (let i = 1; i + 1 < face.length; i++) index.push(first, first + i, first + i + 1);
    });
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(position), 3));
    geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normals), 3));
    geometry.setIndex(index);
    return geometry;
}

/* For skins: how far a point of its own frame is outside, its middle, the ball within it and the one around it. */
export function hullMeasures(shape) {
    const planes = planesOf(shape),
        count = shape.points.length / 3,
        middle = [0, 0, 0];
    for (let i = 0; i < shape.points.length; i++) middle[i % 3] += shape.points[i] / count;
    const distance = (x, y, z) => {
        let most = -Infinity;
        for (const { normal, offset } of planes)
            most = Math.max(most, normal[0] * x + normal[1] * y + normal[2] * z - offset);
        return most;
    };
    let reach = 0;
    for (let i = 0; i < count; i++)
        reach = Math.max(reach, Math.hypot(...point(shape, i).map((v, k) => v - middle[k])));
    return { distance, middle, inner: -distance(...middle), reach };
}
