/* Marks: straight arrows for forces, round ones for torques, rods, and a tether for what the mouse holds. */
import {
    ConeGeometry,
    CylinderGeometry,
    DynamicDrawUsage,
    Group,
    InstancedMesh,
    Matrix4,
    Mesh,
    MeshBasicMaterial,
    MeshStandardMaterial,
    Quaternion,
    SphereGeometry,
    TorusGeometry,
    Vector3,
} from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";

const up = new Vector3(0, 0, 1),
    direction = new Vector3(),
    place = new Vector3(),
    size = new Vector3();
const turn = new Quaternion(),
    matrix = new Matrix4();

/* A straight arrow of unit length and width along z; the head is as long as three widths, whatever the length. */
function arrowParts() {
    const shaft = new CylinderGeometry(0.5, 0.5, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const head = new ConeGeometry(1.3, 3, 16).rotateX(Math.PI / 2).translate(0, 0, 1.5);
    return [shaft, head];
}

function instanced(geometry, room, color) {
    const material = new MeshStandardMaterial({
        color,
        roughness: 0.4,
        emissive: color,
        emissiveIntensity: 0.4,
    });
    const mesh = new InstancedMesh(geometry, material, room);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.castShadow = true;
    mesh.renderOrder = 4;
    return mesh;
}

function paint(mesh, color) {
    if (!color) return;
    mesh.material.color.set(color);
    mesh.material.emissive.set(color);
}

export function makeArrows(room, options) {
    const [shaft, head] = arrowParts();
    const color = options.color ?? "#e2453c";
    const mesh = instanced(shaft, room, color),
        heads = instanced(head, room, color);
    mesh.add(heads);
    const drop = mesh.dispose.bind(mesh);
    mesh.dispose = () => {
        head.dispose();
        heads.material.dispose();
        heads.dispose();
        drop();
    };
    return {
        mesh,
        room,
        set(values, count, { color: wanted, scale = 1, width = 0.022 }) {
            paint(mesh, wanted);
            paint(heads, wanted);
            mesh.count = heads.count = count;
            for (let i = 0; i < count; i++) {
                const at = 6 * i;
                direction.set(values[at + 3], values[at + 4], values[at + 5]);
                const length = direction.length() * scale,
                    thin = Math.min(width, length / 4);
                turn.setFromUnitVectors(up, length > 0 ? direction.normalize() : up);
                place.set(values[at], values[at + 1], values[at + 2]);
                matrix.compose(place, turn, size.set(thin, thin, Math.max(1e-6, length - 3 * thin)));
                mesh.setMatrixAt(i, matrix);
                place.addScaledVector(direction, length - 3 * thin);
                matrix.compose(place, turn, size.set(thin, thin, Math.max(1e-6, thin)));
                heads.setMatrixAt(i, matrix);
            }
            mesh.instanceMatrix.needsUpdate = heads.instanceMatrix.needsUpdate = true;
        },
    };
}

/* Instances of a mesh, six values each: a point and a vector, along which it is turned. `stretch` gives `size` its values for
   the length of the vector. */
function setInstances(mesh, values, count, color, stretch) {
    paint(mesh, color);
    mesh.count = count;
    for (let i = 0; i < count; i++) {
        const at = 6 * i;
        direction.set(values[at + 3], values[at + 4], values[at + 5]);
        stretch(direction.length());
        turn.setFromUnitVectors(up, direction.lengthSq() > 0 ? direction.normalize() : up);
        place.set(values[at], values[at + 1], values[at + 2]);
        mesh.setMatrixAt(i, matrix.compose(place, turn, size));
    }
    mesh.instanceMatrix.needsUpdate = true;
}

export function makeRods(room, options) {
    const shaft = new CylinderGeometry(0.5, 0.5, 1, 10).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const mesh = instanced(shaft, room, options.color ?? "#8a8f98");
    mesh.material.emissiveIntensity = 0.1;
    return {
        mesh,
        room,
        set: (values, count, { color, width = 0.02 }) =>
            setInstances(mesh, values, count, color, (length) => size.set(width, width, Math.max(1e-6, length))),
    };
}

/* A round arrow about z, of unit radius: three quarters of a turn and a head. */
function ringGeometry() {
    const arc = 1.6 * Math.PI;
    const ring = new TorusGeometry(1, 0.07, 10, 40, arc);
    const head = new ConeGeometry(0.2, 0.46, 16).translate(0, 0.18, 0).rotateZ(arc);
    head.translate(Math.cos(arc), Math.sin(arc), 0);
    return mergeGeometries([ring.toNonIndexed(), head.toNonIndexed()]);
}

export function makeRings(room, options) {
    const mesh = instanced(ringGeometry(), room, options.color ?? "#8a4fd0");
    mesh.material.depthTest = false; /* they lie around and inside limbs, and must be seen */
    mesh.material.transparent = true;
    mesh.material.opacity = 0.9;
    mesh.castShadow = false;
    return {
        mesh,
        room,
        set: (values, count, { color, scale = 1 }) =>
            setInstances(mesh, values, count, color, (length) => size.setScalar(Math.max(1e-6, length * scale))),
    };
}

export function makeTether() {
    const group = new Group(),
        material = new MeshBasicMaterial({ color: "#1f9d6b" });
    const bead = new SphereGeometry(0.025, 20, 14),
        beads = [new Mesh(bead, material), new Mesh(bead, material)];
    const rod = new Mesh(
        new CylinderGeometry(0.007, 0.007, 1, 8).rotateX(Math.PI / 2).translate(0, 0, 0.5),
        material,
    );
    group.add(...beads, rod);
    return {
        group,
        set(from, to) {
            group.visible = Boolean(from);
            if (!from) return;
            beads[0].position.set(...from);
            beads[1].position.set(...to);
            rod.position.set(...from);
            direction.copy(beads[1].position).sub(beads[0].position);
            rod.scale.z = Math.max(1e-6, direction.length());
            if (direction.lengthSq() > 0) rod.quaternion.setFromUnitVectors(up, direction.normalize());
        },
    };
}
