/* A mannequin's skin over collision shapes. Every body gets one closed surface: its shapes, rounded, and pieces that
 * bridge them to the joints where its neighbours hang, all blended into each other; a ball fills each joint, and the
 * limbs beside it are hollowed out a little to take it. The surface is where a distance function is zero. */
import {
    BoxGeometry,
    BufferAttribute,
    BufferGeometry,
    CapsuleGeometry,
    CylinderGeometry,
    Matrix4,
    Quaternion,
    SphereGeometry,
    Vector3,
} from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import { hullGeometry, hullMeasures } from "./stage_hull.js";

const vector = (a) => new Vector3(a?.[0] ?? 0, a?.[1] ?? 0, a?.[2] ?? 0);
const rotation = (a) => (a ? new Quaternion(a[1], a[2], a[3], a[0]).normalize() : new Quaternion());

/* ------------------------------------------------------------------------------------------ distance functions */

/* Each takes x, y, z in the body's frame. A shape also has its middle line a-b and its thickness r. */
function shapeField(shape) {
    const pos = vector(shape.pos),
        inverse = rotation(shape.rot).invert();
    const [s0, s1, s2] = shape.size;
    const axis = new Vector3(0, 0, 1).applyQuaternion(rotation(shape.rot));
    const at = new Vector3();
    const local = (x, y, z) => at.set(x, y, z).sub(pos).applyQuaternion(inverse);
    const line = (half) => [
        pos.clone().addScaledVector(axis, -half),
        pos.clone().addScaledVector(axis, half),
    ];
    if (shape.type === "capsule") {
        const [a, b] = line(s1);
        return { distance: roundCone(a, b, s0, s0), a, b, r: s0, reach: s0 + s1, pos };
    }
    if (shape.type === "cylinder") {
        const [a, b] = line(Math.max(0, s1 - s0)),
            round = 0.35 * Math.min(s0, s1);
        const distance = (x, y, z) => {
            const p = local(x, y, z);
            const dx = Math.hypot(p.x, p.y) - s0 + round,
                dz = Math.abs(p.z) - s1 + round;
            return Math.min(Math.max(dx, dz), 0) + Math.hypot(Math.max(dx, 0), Math.max(dz, 0)) - round;
        };
        return { distance, a, b, r: s0, reach: Math.hypot(s0, s1), pos };
    }
    if (shape.type === "box") {
        const size = [s0, s1, s2],
            longest = size.indexOf(Math.max(...size)),
            thin = Math.min(...size);
        const round = 0.72 * thin,
            along = new Vector3().setComponent(longest, Math.max(0, size[longest] - thin));
        along.applyQuaternion(rotation(shape.rot));
        const distance = (x, y, z) => {
            const p = local(x, y, z);
            const dx = Math.abs(p.x) - s0 + round,
                dy = Math.abs(p.y) - s1 + round,
                dz = Math.abs(p.z) - s2 + round;
            const outside = Math.hypot(Math.max(dx, 0), Math.max(dy, 0), Math.max(dz, 0));
            return outside + Math.min(Math.max(dx, dy, dz), 0) - round;
        };
        return {
            distance,
            a: pos.clone().sub(along),
            b: pos.clone().add(along),
            r: thin,
            reach: Math.hypot(s0, s1, s2),
            pos,
        };
    }
    if (shape.type === "ellipsoid") {
        /* Not the true distance, but zero at the right place and steady near it. */
        const distance = (x, y, z) => {
            const p = local(x, y, z);
            const k0 = Math.hypot(p.x / s0, p.y / s1, p.z / s2),
                k1 = Math.hypot(p.x / (s0 * s0), p.y / (s1 * s1), p.z / (s2 * s2));
            return k1 > 1e-9 ? (k0 * (k0 - 1)) / k1 : -Math.min(s0, s1, s2);
        };
        return { distance, a: pos, b: pos, r: Math.min(s0, s1, s2), reach: Math.max(s0, s1, s2), pos };
    }
    if (shape.type === "hull") {
        const { distance: outside, middle, inner, reach } = hullMeasures(shape);
        const centre = vector(middle).applyQuaternion(rotation(shape.rot)).add(pos);
        const distance = (x, y, z) => {
            const p = local(x, y, z);
            return outside(p.x, p.y, p.z);
        };
        return { distance, a: centre, b: centre, r: inner, reach, pos: centre };
    }
    const distance = (x, y, z) => Math.hypot(x - pos.x, y - pos.y, z - pos.z) - s0;
    return { distance, a: pos, b: pos, r: s0, reach: s0, pos };
}

/* A capsule from a to b whose radius goes from ra to rb. */
function roundCone(a, b, ra, rb) {
    const bx = b.x - a.x,
        by = b.y - a.y,
        bz = b.z - a.z,
        square = bx * bx + by * by + bz * bz;
    return (x, y, z) => {
        const px = x - a.x,
            py = y - a.y,
            pz = z - a.z;
        const along = square > 0 ? Math.min(1, Math.max(0, (px * bx + py * by + pz * bz) / square)) : 0;
        return Math.hypot(px - along * bx, py - along * by, pz - along * bz) - ra - along * (rb - ra);
    };
}

function blend(d1, d2, k) {
    const h = Math.max(0, k - Math.abs(d1 - d2));
    return Math.min(d1, d2) - (h * h) / (4 * k);
}

/* ---------------------------------------------------------------------------------------------- who joins whom */

/* Joints between bodies that have shapes, in the frames of both; bodies without shapes between them are passed over. */
function findJoints(bodies) {
    const joints = [];
    bodies.forEach((body, child) => {
        if (!body.shapes.length || body.parent < 0 || !body.pos) return;
        const anchor = vector(body.joint?.anchor),
            at = anchor.clone();
        let up = child;
        do {
            at.applyQuaternion(rotation(bodies[up].rot)).add(vector(bodies[up].pos));
            up = bodies[up].parent;
        } while (up >= 0 && !bodies[up].shapes.length);
        if (up >= 0) joints.push({ child, parent: up, inChild: anchor, inParent: at });
    });
    return joints;
}

function nearestOn(field, p) {
    const along = field.b.clone().sub(field.a),
        square = along.lengthSq();
    const t = square > 0 ? Math.min(1, Math.max(0, p.clone().sub(field.a).dot(along) / square)) : 0;
    return field.a.clone().addScaledVector(along, t);
}

function nearestField(fields, p) {
    return fields.reduce((best, f) => (f.distance(p.x, p.y, p.z) < best.distance(p.x, p.y, p.z) ? f : best));
}

const depth = (field, p) => field.distance(p.x, p.y, p.z);

/* ------------------------------------------------------------------------------------------------- the surfaces */

/* What the body is made of: fields to blend, and hollows for the balls of its joints. */
function bodyParts(fields, ends) {
    const parts = fields.map((f) => f.distance),
        hollows = [];
    /* Shapes of one body that do not touch: a hand on a forearm. */
    fields.slice(1).forEach((f, i) => {
        const other = fields
            .slice(0, i + 1)
            .reduce((best, g) => (g.pos.distanceTo(f.pos) < best.pos.distanceTo(f.pos) ? g : best));
        const from = nearestOn(other, f.pos),
            to = nearestOn(f, from);
        if (from.distanceTo(to) > other.r + f.r - 0.3 * Math.min(f.r, other.r))
            parts.push(roundCone(from, to, 0.72 * other.r, 0.72 * f.r));
    });
    for (const { at, radius, buried, slender } of ends) {
        const near = nearestField(fields, at),
            from = nearestOn(near, at);
        if (depth(near, at) > -0.5 * near.r)
            parts.push(roundCone(from, at, Math.min(0.92 * near.r, 1.5 * slender * radius), 0.96 * radius));
        if (!buried) hollows.push([at, 1.07 * radius]);
    }
    return { parts, hollows };
}

function bodyField(parts, hollows, soft) {
    return (x, y, z) => {
        let d = parts[0](x, y, z);
        for (let i = 1; i < parts.length; i++) d = blend(d, parts[i](x, y, z), soft);
        for (const [at, radius] of hollows) {
            const cut = radius - Math.hypot(x - at.x, y - at.y, z - at.z);
            d = -blend(-d, -cut, 0.4 * radius);
        }
        return d;
    };
}

/* The field on a grid, block by block: where the middle of a block is further from the surface than its corners from the
   middle, only the sign matters. The fields are not quite distances: the factor allows for that. */
function sampleNear(field, values, [nx, ny, nz], low, cell) {
    const size = 4,
        away = 1.4 * 0.5 * Math.sqrt(3) * (size - 1) * cell;
    for (let k0 = 0; k0 < nz; k0 += size)
        for (let j0 = 0; j0 < ny; j0 += size)
            for (let i0 = 0; i0 < nx; i0 += size) {
                const half = 0.5 * (size - 1);
                const middle = field(
                    low[0] + (i0 + half) * cell,
                    low[1] + (j0 + half) * cell,
                    low[2] + (k0 + half) * cell,
                );
                const far = Math.abs(middle) > away + cell;
                for (let k = k0; k < Math.min(nz, k0 + size); k++)
                    for (let j = j0; j < Math.min(ny, j0 + size); j++)
                        for (let i = i0; i < Math.min(nx, i0 + size); i++)
                            values[i + nx * (j + ny * k)] = far
                                ? middle
                                : field(low[0] + i * cell, low[1] + j * cell, low[2] + k * cell);
            }
}

/* Surface nets: one vertex in every cell the surface passes, moved onto the surface, its normal the field's slope. */
function surface(field, low, high, cell) {
    const n = [0, 1, 2].map((k) => Math.max(3, Math.ceil((high[k] - low[k]) / cell) + 1));
    const [nx, ny, nz] = n,
        values = new Float32Array(nx * ny * nz),
        place = (i, j, k) => i + nx * (j + ny * k);
    sampleNear(field, values, n, low, cell);
    const vertex = new Int32Array(values.length).fill(-1),
        points = [],
        index = [];
    for (let k = 0; k + 1 < nz; k++)
        for (let j = 0; j + 1 < ny; j++)
            for (let i = 0; i + 1 < nx; i++) {
                const at = place(i, j, k),
                    inside = values[at] < 0,
                    up = at + nx * ny;
                if (
                    inside === values[at + 1] < 0 &&
                    inside === values[at + nx] < 0 &&
                    inside === values[at + nx + 1] < 0 &&
                    inside === values[up] < 0 &&
                    inside === values[up + 1] < 0 &&
                    inside === values[up + nx] < 0 &&
                    inside === values[up + nx + 1] < 0
                )
                    continue;
                const p = crossing(values, place, i, j, k);
                vertex[at] = points.length / 3;
                points.push(
                    low[0] + (i + p[0]) * cell,
                    low[1] + (j + p[1]) * cell,
                    low[2] + (k + p[2]) * cell,
                );
            }
    for (let k = 1; k + 1 < nz; k++)
        for (let j = 1; j + 1 < ny; j++)
            for (let i = 1; i + 1 < nx; i++) {
                const here = values[place(i, j, k)] < 0;
                const quad = (a, b, c, d) => {
                    if (here) index.push(a, b, c, a, c, d);
                    else index.push(a, c, b, a, d, c);
                };
                const v = (di, dj, dk) => vertex[place(i + di, j + dj, k + dk)];
                if (here !== values[place(i + 1, j, k)] < 0)
                    quad(v(0, -1, -1), v(0, 0, -1), v(0, 0, 0), v(0, -1, 0));
                if (here !== values[place(i, j + 1, k)] < 0)
                    quad(v(-1, 0, -1), v(-1, 0, 0), v(0, 0, 0), v(0, 0, -1));
                if (here !== values[place(i, j, k + 1)] < 0)
                    quad(v(-1, -1, 0), v(0, -1, 0), v(0, 0, 0), v(-1, 0, 0));
            }
    return settle(field, new Float32Array(points), index, cell);
}

/* Where in the cell the surface passes: the mean of where it crosses the edges. */
function crossing(values, place, i, j, k) {
    let x = 0,
        y = 0,
        z = 0,
        count = 0;
    const corner = (c) => values[place(i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2))];
    for (let c = 0; c < 8; c++)
        for (let bit = 1; bit < 8; bit <<= 1) {
            if (c & bit) continue;
            const a = corner(c),
                b = corner(c | bit);
            if (a < 0 === b < 0) continue;
            const t = a / (a - b);
            x += (c & 1) + (bit === 1 ? t : 0);
            y += ((c >> 1) & 1) + (bit === 2 ? t : 0);
            z += (c >> 2) + (bit === 4 ? t : 0);
            count++;
        }
    return [x / count, y / count, z / count];
}

function settle(field, points, index, cell) {
    const normals = new Float32Array(points.length),
        h = 0.05 * cell;
    for (let i = 0; i < points.length; i += 3)
        for (let round = 0; round < 3; round++) {
            const x = points[i],
                y = points[i + 1],
                z = points[i + 2];
            const gx = field(x + h, y, z) - field(x - h, y, z),
                gy = field(x, y + h, z) - field(x, y - h, z);
            const gz = field(x, y, z + h) - field(x, y, z - h),
                length = Math.hypot(gx, gy, gz) || 1;
            normals[i] = gx / length;
            normals[i + 1] = gy / length;
            normals[i + 2] = gz / length;
            if (round === 2) break;
            const d = Math.max(-0.5 * cell, Math.min(0.5 * cell, field(x, y, z)));
            for (let k = 0; k < 3; k++) points[i + k] -= d * normals[i + k];
        }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(points, 3));
    geometry.setAttribute("normal", new BufferAttribute(normals, 3));
    geometry.setIndex(index);
    return geometry;
}

function shaded(geometry, r, g, b) {
    const count = geometry.getAttribute("position").count,
        colors = new Float32Array(3 * count);
    for (let i = 0; i < 3 * count; i += 3) {
        colors[i] = r;
        colors[i + 1] = g;
        colors[i + 2] = b;
    }
    geometry.deleteAttribute("uv");
    geometry.setAttribute("color", new BufferAttribute(colors, 3));
    return geometry;
}

const joinShade = [0.2, 0.21, 0.24],
    faceShade = [0.05, 0.06, 0.08];

/* By its name, or a ball at the end of a neck. */
function isHead(bodies, index, fields) {
    const { name } = bodies[index];
    if (/head|skull/i.test(name)) return true;
    return /neck/i.test(name) && fields[0].a === fields[0].b && !bodies.some((body) => body.parent === index);
}

/* The axes of a head in its own frame: it looks along +x of the world at the zero pose. */
function headAxes(bodies, index) {
    const turn = new Quaternion();
    for (let up = index; up >= 0; up = bodies[up].parent) turn.premultiply(rotation(bodies[up].rot));
    const back = turn.invert();
    return [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)].map((v) => v.applyQuaternion(back));
}

/* A head that is a ball gets a jaw, or it would look like a light bulb. Inside the bounds of the ball and its neck. */
function jaws(bodies, index, fields) {
    if (!isHead(bodies, index, fields)) return [];
    const [forward, , up] = headAxes(bodies, index);
    return fields
        .filter((f) => f.a.distanceTo(f.b) === 0 && f.reach === f.r)
        .map(({ pos, r }) => {
            const chin = pos.clone().addScaledVector(forward, 0.44 * r).addScaledVector(up, -0.64 * r);
            return roundCone(pos.clone().addScaledVector(up, -0.2 * r), chin, 0.74 * r, 0.34 * r);
        });
}

/* Two eyes on a head. */
function faceGeometry(bodies, index, fields, field, detail) {
    if (!isHead(bodies, index, fields)) return [];
    const [forward, side, up] = headAxes(bodies, index);
    const head = fields.reduce((best, f) => (f.r > best.r ? f : best));
    const front = head.a.clone().sub(head.b).dot(forward) > 0 ? head.a : head.b;
    const long =
        head.a.distanceTo(head.b) > 0.3 * head.r &&
        Math.abs(head.b.clone().sub(head.a).normalize().dot(forward)) > 0.6;
    const middle = long ? head.a.clone().lerp(head.b, 0.5) : front;
    return [-1, 1].map((s) => {
        /* On a muzzle they sit above and at the sides, on a face in front. */
        const out = forward
            .clone()
            .multiplyScalar(long ? 0.35 : 1)
            .addScaledVector(side, s * (long ? 0.62 : 0.36))
            .addScaledVector(up, long ? 0.7 : 0.16);
        const eye = new SphereGeometry(
            head.r * (long ? 0.17 : 0.135),
            Math.round(16 * detail) + 4,
            Math.round(12 * detail) + 3,
        );
        eye.scale(long ? 1 : 0.55, 1, long ? 1 : 1.3);
        eye.applyMatrix4(new Matrix4().makeBasis(forward, side, up));
        const at = middle.clone().addScaledVector(out.normalize(), 1.5 * head.r);
        for (let step = 0; step < 12; step++)
            at.addScaledVector(out, -0.9 * field(at.x, at.y, at.z)); /* onto the skin */
        return shaded(eye.translate(at.x, at.y, at.z), ...faceShade);
    });
}

/* The same model is often drawn twice, as itself and as a ghost; geometries are shared and never disposed of here. */
const made = new WeakMap();

export function skinGeometries(model, { detail = 1, face = true } = {}) {
    const kept = made.get(model) ?? new Map(),
        key = `${detail} ${face}`;
    made.set(model, kept);
    if (!kept.has(key)) kept.set(key, makeSkin(model, detail, face));
    return kept.get(key);
}

/* [nbody] geometries in the bodies' frames, null for bodies without shapes. detail: 1 is fine, 0.5 for crowds. */
function makeSkin(model, detail, face) {
    const bodies = model.bodies,
        joints = findJoints(bodies);
    const fields = bodies.map((body) => body.shapes.map(shapeField));
    for (const joint of joints) {
        const a = nearestField(fields[joint.child], joint.inChild),
            b = nearestField(fields[joint.parent], joint.inParent);
        const thin = a.r < b.r ? a : b;
        joint.radius =
            (thin.a.distanceTo(thin.b) > 0 ? 0.86 : 0.68) * thin.r; /* limbs; a waist between two balls */
        joint.slender = /head|neck|skull/i.test(bodies[joint.child].name)
            ? 0.72
            : 1; /* a neck is thinner than a waist */
        joint.radius *= joint.slender;
        /* Shapes that already lie deep in each other need no ball. */
        joint.buried = Math.min(depth(a, joint.inChild), depth(b, joint.inParent)) < -0.5 * thin.r;
    }
    return bodies.map((body, i) => {
        if (!fields[i].length) return null;
        if (body.shapes.every((shape) => shape.type === "hull")) return shapesGeometry(body); /* as its maker drew it */
        const ends = [];
        for (const joint of joints) {
            if (joint.child === i) ends.push({ at: joint.inChild, ...joint });
            if (joint.parent === i) ends.push({ at: joint.inParent, ...joint });
        }
        const { parts, hollows } = bodyParts(fields[i], ends);
        if (face) parts.push(...jaws(bodies, i, fields[i]));
        const thin = Math.min(...fields[i].map((f) => f.r));
        const [low, high, size] = bounds(fields[i], ends, thin);
        const cell = Math.max(size / (52 * detail), Math.min(size / (24 * detail), thin / (4 * detail)));
        const soft = Math.min(0.5 * thin, ...ends.map((end) => 0.8 * end.radius));
        const field = bodyField(parts, hollows, soft);
        const skin = surface(
            field,
            low.map((v) => v - 1.5 * cell),
            high.map((v) => v + 1.5 * cell),
            cell,
        );
        const pieces = [shaded(skin, 1, 1, 1)];
        for (const joint of joints) {
            if (joint.child !== i || joint.buried) continue;
            const ball = new SphereGeometry(
                joint.radius,
                Math.round(20 * detail) + 4,
                Math.round(14 * detail) + 3,
            );
            pieces.push(shaded(ball.translate(...joint.inChild.toArray()), ...joinShade));
        }
        if (face) pieces.push(...faceGeometry(bodies, i, fields[i], field, detail));
        return mergeGeometries(pieces);
    });
}

function bounds(fields, ends, thin) {
    const low = [Infinity, Infinity, Infinity],
        high = [-Infinity, -Infinity, -Infinity];
    const take = (p, r) =>
        p.toArray().forEach((v, k) => {
            low[k] = Math.min(low[k], v - r);
            high[k] = Math.max(high[k], v + r);
        });
    for (const f of fields) {
        if (f.a.distanceTo(f.b) > 0 || f.reach > f.r) {
            take(f.a, f.r);
            take(f.b, f.r);
            if (f.reach > f.r + f.a.distanceTo(f.b) / 2 + 1e-9) take(f.pos, f.reach);
        } else take(f.pos, f.reach);
    }
    for (const { at, radius } of ends) take(at, radius);
    const soft = 0.2 * thin;
    return [low.map((v) => v - soft), high.map((v) => v + soft), Math.max(...high.map((v, k) => v - low[k]))];
}

/* ------------------------------------------------------------------------------------------- the shapes as they are */

function plainGeometry(shape) {
    const [s0, s1, s2] = shape.size;
    if (shape.type === "capsule") return new CapsuleGeometry(s0, 2 * s1, 10, 28).rotateX(Math.PI / 2);
    if (shape.type === "box") return new BoxGeometry(2 * s0, 2 * s1, 2 * s2);
    if (shape.type === "cylinder") return new CylinderGeometry(s0, s0, 2 * s1, 32).rotateX(Math.PI / 2);
    if (shape.type === "ellipsoid") return new SphereGeometry(1, 32, 20).scale(s0, s1, s2);
    if (shape.type === "hull") return hullGeometry(shape);
    return new SphereGeometry(s0, 32, 20);
}

/* One geometry of a body's collision shapes, or null. */
export function shapesGeometry(body) {
    if (!body.shapes.length) return null;
    return mergeGeometries(
        body.shapes.map((shape) => {
            const place = new Matrix4().compose(vector(shape.pos), rotation(shape.rot), new Vector3(1, 1, 1));
            return shaded(plainGeometry(shape).applyMatrix4(place), 1, 1, 1);
        }),
    );
}
