/* The stage: characters, ground, light and camera, drawn by three. No physics and no page furniture in here.
 *
 *   const stage = new Stage(canvas, { theme: "light", shadows: true });
 *   const id = stage.setModel(model);             // a character to be drawn; as many as wanted
 *   stage.setPose(id, pose);                      // Float32Array [nbody * 7]: position xyz, quaternion wxyz, in the world
 *   stage.follow(id);                             // the camera keeps it in sight; follow(null) lets it go
 *   stage.render(seconds);                        // each frame; seconds since the last one (moves the camera smoothly)
 *
 * model   { bodies: [{ name, parent, pos, rot, joint, shapes: [{ type, size, pos, rot }] }] }
 *         parent: index, -1 for the world; pos, rot: the body's frame in its parent's at the zero pose; joint:
 *         { anchor: [3] } in the body's frame. pos, rot and joint may be left out: then limbs are drawn without
 *         the pieces that bridge them. type: sphere, capsule, box, cylinder, ellipsoid; size as in sinew.h;
 *         hull: stage_hull.js. Z is up.
 *
 * Characters
 *   setModel(model, options) -> id    options: ghost (see-through), color ("#e2a56f"), style ("skin" | "shapes"),
 *                                     face (default true), shadow (default true), visible
 *   setPose(id, Float32Array, first)  first: where its values start, default 0
 *   setOffset(id, [x, y, z])          drawn so far from where it is: two characters side by side
 *   setVisible(id, truth), setStyle(id, "skin" | "shapes"), setColor(id, color)
 *   setHeat(id, values)               [nbody] of 0..1: bodies glow by it; null: no glow
 *   remove(id), clear()
 * Crowds, instanced: one model, many characters
 *   setCrowd(model, count, options)   count 0: none; options: colors (list, taken in turn), shadow
 *   setCrowdPose(Float32Array)        [count * nbody * 7]
 *   setCrowdFade(values)              [count] of 0..1: how much of its colour each has lost
 * Marks
 *   setArrows(name, Float32Array, options)   [n * 6] from xyz, vector xyz; options: color, scale (m a unit), width (m)
 *   setRings(name, Float32Array, options)    the same for turning: centre, axis times size; options: color, scale
 *   setRods(name, Float32Array, options)     straight pieces: from, vector; options: color, width
 *   setTether(from, to)                      a line with a bead at either end; setTether(null) takes it away
 * Picking; x, y as in a mouse event's clientX, clientY
 *   pick(x, y) -> { id, body, point: [3], local: [3], distance } or null; local: in the body's frame. Not for ghosts.
 *   ray(x, y) -> { origin: [3], direction: [3] }
 *   dragPoint(x, y, through) -> [3]   where the ray meets the plane through that point that faces the camera
 * Camera and look
 *   controls (OrbitControls; set controls.enabled = false while dragging a body), camera
 *   view({ target, azimuth, elevation, distance })   radians and m; what is left out stays
 *   orbit(across, up, nearer)         turns by radians; nearer: times the distance
 *   frame(id, extent)                 looks at the whole character from a good distance; extent: the box { low, high } it
 *                                     moves in, x and y from its root (default: where it is now)
 *   setTheme("light" | "dark"), setGround({ z, visible }), setShadowRange(m), setQuality("high" | "low")
 *   jump()                            the followed character at once, without the smooth way there
 *   onLost                            called with true when the graphics context is lost, with false when it is back
 *   resize() happens by itself; dispose() ends everything. snapshot() -> PNG as a data URL.
 */
import {
    Color,
    DirectionalLight,
    Group,
    HemisphereLight,
    InstancedMesh,
    Mesh,
    MeshStandardMaterial,
    NeutralToneMapping,
    PCFShadowMap,
    PerspectiveCamera,
    Plane,
    Quaternion,
    Raycaster,
    Scene,
    Vector2,
    Vector3,
    WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { makeArrows, makeRings, makeRods, makeTether } from "./stage_marks.js";
import { makeGround } from "./stage_ground.js";
import { writeMatrix } from "./stage_pose.js";
import { shapesGeometry, skinGeometries } from "./stage_skin.js";
import { crowdColors, ghostMaterial, themes } from "./stage_theme.js";

export class Stage {
    constructor(canvas, options = {}) {
        this.canvas = canvas;
        this.characters = new Map();
        this.marks = new Map();
        this.crowd = null;
        this.nextId = 1;
        this.followed = null;
        this.quality = options.quality ?? "high";
        this.renderer = new WebGLRenderer({
            canvas,
            antialias: options.antialias ?? true,
            alpha: true,
            preserveDrawingBuffer: options.preserveDrawingBuffer ?? false,
        });
        this.renderer.setClearColor(0, 0);
        this.renderer.toneMapping = NeutralToneMapping;
        this.renderer.shadowMap.enabled = options.shadows ?? true;
        this.renderer.shadowMap.type = PCFShadowMap;
        this.scene = new Scene();
        this.root = new Group();
        this.scene.add(this.root);
        this.#makeLights();
        this.ground = makeGround();
        this.scene.add(this.ground.mesh);
        this.#makeCamera();
        this.setTheme(options.theme ?? "light");
        this.raycaster = new Raycaster();
        this.onLost = null;
        canvas.addEventListener("webglcontextlost", () => this.onLost?.(true));
        canvas.addEventListener("webglcontextrestored", () => this.onLost?.(false));
        this.observer = new ResizeObserver(() => this.resize());
        this.observer.observe(canvas);
        this.resize();
    }

    /* ------------------------------------------------------------------------------------------- characters */

    setModel(model, options = {}) {
        const id = this.nextId++;
        const c = {
            id,
            model,
            ghost: options.ghost ?? false,
            color: options.color ?? null,
            style: options.style ?? "skin",
            face: options.face ?? true,
            shadow: options.shadow ?? true,
            group: new Group(),
            meshes: [],
            pose: null,
        };
        c.group.visible = options.visible ?? true;
        this.characters.set(id, c);
        this.root.add(c.group);
        this.#build(c);
        return id;
    }

    setPose(id, pose, first = 0) {
        const c = this.characters.get(id);
        if (!c) return;
        c.meshes.forEach((set, i) => {
            const at = first + 7 * i;
            for (const mesh of set) {
                mesh.position.set(pose[at], pose[at + 1], pose[at + 2]);
                mesh.quaternion.set(pose[at + 4], pose[at + 5], pose[at + 6], pose[at + 3]);
            }
        });
        c.place ??= new Vector3();
        c.place.set(pose[first], pose[first + 1], pose[first + 2]);
        c.pose = pose;
        c.first = first;
    }

    setOffset(id, offset) {
        this.characters.get(id)?.group.position.set(offset[0], offset[1], offset[2]);
    }

    setVisible(id, truth) {
        const c = this.characters.get(id);
        if (c) c.group.visible = truth;
    }

    setStyle(id, style) {
        const c = this.characters.get(id);
        if (!c || c.style === style) return;
        c.style = style;
        this.#build(c);
        if (c.pose) this.setPose(id, c.pose, c.first);
    }

    setColor(id, color) {
        const c = this.characters.get(id);
        if (!c) return;
        c.color = color;
        this.#paint(c);
    }

    setHeat(id, values) {
        const c = this.characters.get(id);
        if (!c || c.ghost) return;
        c.heat = values;
        this.#paint(c);
    }

    remove(id) {
        const c = this.characters.get(id);
        if (!c) return;
        this.#strip(c);
        this.root.remove(c.group);
        this.characters.delete(id);
        if (this.followed === id) this.followed = null;
    }

    clear() {
        for (const id of [...this.characters.keys()]) this.remove(id);
        for (const name of [...this.marks.keys()]) this.#dropMark(name);
        this.setCrowd(null, 0);
        this.setTether(null);
    }

    #strip(c) {
        for (const set of c.meshes)
            for (const mesh of set) {
                mesh.geometry.dispose();
                mesh.material.dispose();
                c.group.remove(mesh);
            }
        c.meshes = [];
    }

    #build(c) {
        this.#strip(c);
        const detail = this.quality === "low" ? 0.55 : 0.8;
        const geometry =
            c.style === "shapes"
                ? c.model.bodies.map(shapesGeometry)
                : skinGeometries(c.model, { detail, face: c.face });
        c.meshes = geometry.map((g, body) => {
            if (!g) return [];
            const mesh = new Mesh(
                g,
                c.ghost
                    ? ghostMaterial("#000")
                    : new MeshStandardMaterial({ roughness: 0.52, metalness: 0, vertexColors: true }),
            );
            mesh.castShadow = !c.ghost && c.shadow;
            mesh.receiveShadow = !c.ghost;
            mesh.userData = { id: c.id, body };
            mesh.renderOrder = c.ghost ? 3 : 1;
            if (!c.ghost) {
                c.group.add(mesh);
                return [mesh];
            }
            /* Depth first, so that of a ghost only the surface nearest to the eye is seen. */
            const depth = new Mesh(g, mesh.material.clone());
            depth.material.colorWrite = false;
            depth.material.depthWrite = true;
            depth.renderOrder = 2;
            c.group.add(depth, mesh);
            return [depth, mesh];
        });
        this.#paint(c);
    }

    #paint(c) {
        const look = themes[this.theme];
        const base = new Color(c.color ?? (c.ghost ? look.ghost : look.character)),
            hot = new Color(look.hot);
        c.meshes.forEach((set, i) => {
            for (const mesh of set) {
                if (c.ghost) {
                    mesh.material.uniforms.tint.value.copy(base);
                    continue;
                }
                const heat = Math.min(1, Math.max(0, c.heat?.[i] ?? 0));
                mesh.material.color.copy(base).lerp(hot, heat);
                mesh.material.emissive.copy(hot).multiplyScalar(0.35 * heat * heat);
            }
        });
    }

    /* ----------------------------------------------------------------------------------------------- crowds */

    setCrowd(model, count, options = {}) {
        for (const mesh of this.crowd?.meshes ?? []) {
            if (!mesh) continue;
            this.root.remove(mesh);
            mesh.geometry.dispose();
            mesh.material.dispose();
            mesh.dispose();
        }
        this.crowd = null;
        if (!count) return;
        const palette = (options.colors ?? crowdColors).map((color) => new Color(color));
        const meshes = skinGeometries(model, { detail: options.detail ?? 0.22, face: true }).map((g) => {
            if (!g) return null;
            const mesh = new InstancedMesh(
                g,
                new MeshStandardMaterial({ roughness: 0.6, vertexColors: true }),
                count,
            );
            mesh.frustumCulled = false;
            mesh.castShadow = options.shadow ?? true;
            mesh.receiveShadow = false;
            for (let i = 0; i < count; i++) mesh.setColorAt(i, palette[i % palette.length]);
            this.root.add(mesh);
            return mesh;
        });
        this.crowd = { meshes, count, nbody: model.bodies.length, palette };
    }

    setCrowdFade(values) {
        const { meshes, count, palette } = this.crowd, ash = new Color(themes[this.theme].ground), color = new Color();
        for (const mesh of meshes) {
            if (!mesh) continue;
            for (let i = 0; i < count; i++) mesh.setColorAt(i, color.copy(palette[i % palette.length]).lerp(ash, values[i]));
            mesh.instanceColor.needsUpdate = true;
        }
    }

    setCrowdPose(pose) {
        const crowd = this.crowd;
        if (!crowd) return;
        crowd.meshes.forEach((mesh, body) => {
            if (!mesh) return;
            const m = mesh.instanceMatrix.array;
            for (let i = 0; i < crowd.count; i++) writeMatrix(m, 16 * i, pose, 7 * (i * crowd.nbody + body));
            mesh.instanceMatrix.needsUpdate = true;
        });
    }

    /* ------------------------------------------------------------------------------------------------ marks */

    setArrows(name, values, options = {}) {
        this.#mark(name, values, options, makeArrows);
    }

    setRings(name, values, options = {}) {
        this.#mark(name, values, options, makeRings);
    }

    setRods(name, values, options = {}) {
        this.#mark(name, values, options, makeRods);
    }

    #mark(name, values, options, make) {
        let mark = this.marks.get(name);
        const count = values ? values.length / 6 : 0;
        if (!mark && count === 0) return;
        if (!mark || mark.room < count) {
            this.#dropMark(name);
            mark = make(Math.max(16, 2 * count), options);
            this.marks.set(name, mark);
            this.root.add(mark.mesh);
        }
        mark.set(values, count, options);
    }

    #dropMark(name) {
        const mark = this.marks.get(name);
        if (!mark) return;
        this.root.remove(mark.mesh);
        mark.mesh.geometry.dispose();
        mark.mesh.material.dispose();
        mark.mesh.dispose();
        this.marks.delete(name);
    }

    setTether(from, to) {
        if (!from && !this.tether) return;
        if (!this.tether) {
            this.tether = makeTether();
            this.root.add(this.tether.group);
        }
        this.tether.set(from, to);
    }

    /* ---------------------------------------------------------------------------------------------- picking */

    #aim(x, y) {
        const box = this.canvas.getBoundingClientRect();
        const at = new Vector2((2 * (x - box.left)) / box.width - 1, 1 - (2 * (y - box.top)) / box.height);
        this.camera.updateMatrixWorld();
        this.raycaster.setFromCamera(at, this.camera);
        return this.raycaster;
    }

    pick(x, y) {
        const meshes = [];
        for (const c of this.characters.values())
            if (!c.ghost && c.group.visible) for (const set of c.meshes) meshes.push(...set);
        this.root.updateMatrixWorld();
        const hit = this.#aim(x, y).intersectObjects(meshes, false)[0];
        if (!hit) return null;
        const { id, body } = hit.object.userData;
        const point = hit.point.clone().sub(this.characters.get(id).group.position);
        return {
            id,
            body,
            point: point.toArray(),
            local: hit.object.worldToLocal(hit.point.clone()).toArray(),
            distance: hit.distance,
        };
    }

    ray(x, y) {
        const { origin, direction } = this.#aim(x, y).ray;
        return { origin: origin.toArray(), direction: direction.toArray() };
    }

    dragPoint(x, y, through) {
        const towards = this.camera.getWorldDirection(new Vector3());
        const plane = new Plane().setFromNormalAndCoplanarPoint(towards, new Vector3(...through));
        const hit = this.#aim(x, y).ray.intersectPlane(plane, new Vector3());
        return hit ? hit.toArray() : [...through];
    }

    /* --------------------------------------------------------------------------------------- camera and look */

    #makeCamera() {
        this.camera = new PerspectiveCamera(36, 1, 0.05, 400);
        this.camera.up.set(0, 0, 1);
        this.controls = new OrbitControls(this.camera, this.canvas);
        this.controls.enableDamping = true;
        this.controls.dampingFactor = 0.12;
        this.controls.maxPolarAngle = 0.53 * Math.PI;
        this.controls.minDistance = 0.4;
        this.controls.maxDistance = 120;
        this.view({ target: [0, 0, 0.9], azimuth: -0.95, elevation: 0.2, distance: 4.4 });
    }

    view({ target, azimuth, elevation, distance }) {
        const aim = this.controls.target,
            away = this.camera.position.clone().sub(aim);
        if (target) aim.set(target[0], target[1], target[2]);
        const d = distance ?? away.length();
        const a = azimuth ?? Math.atan2(away.y, away.x);
        const e = elevation ?? Math.asin(away.z / Math.max(1e-9, away.length()));
        this.camera.position
            .set(Math.cos(a) * Math.cos(e), Math.sin(a) * Math.cos(e), Math.sin(e))
            .multiplyScalar(d)
            .add(aim);
        this.controls.update();
    }

    orbit(across, up, nearer = 1) {
        const away = this.camera.position.clone().sub(this.controls.target), length = away.length();
        const elevation = Math.min(1.5, Math.max(-0.05, Math.asin(away.z / length) + up));
        this.view({ azimuth: Math.atan2(away.y, away.x) + across, elevation, distance: Math.min(120, Math.max(0.4, nearer * length)) });
    }

    frame(id, extent = null) {
        const c = this.characters.get(id);
        if (!c?.pose) return;
        const low = new Vector3(Infinity, Infinity, Infinity),
            high = low.clone().negate(),
            at = new Vector3();
        for (const mesh of extent ? [] : c.meshes.flat()) {
            mesh.geometry.computeBoundingSphere();
            const { center, radius } = mesh.geometry.boundingSphere;
            at.copy(center).applyQuaternion(mesh.quaternion).add(mesh.position).add(c.group.position);
            low.min(at.clone().subScalar(radius));
            high.max(at.clone().addScalar(radius));
        }
        if (extent && c.place) {
            const root = c.place.clone().add(c.group.position).setZ(c.group.position.z);
            low.fromArray(extent.low).add(root);
            high.fromArray(extent.high).add(root);
        }
        const middle = low.clone().add(high).multiplyScalar(0.5),
            size = high.distanceTo(low);
        const narrow = Math.min(1, this.camera.aspect);
        this.view({ target: middle.toArray(), distance: Math.max(0.8, ((extent ? 1.3 : 1.55) * size) / narrow) });
        this.followOffset = this.#offsetNow();
    }

    follow(id) {
        this.followed = id;
        this.followOffset = this.#offsetNow();
    }

    /* Where the followed character is; null: there is none, or it has no pose yet. */
    #followedPlace() {
        const c = this.characters.get(this.followed);
        return c?.place ? c.place.clone().add(c.group.position) : null;
    }

    /* From the followed character to what the camera looks at. It is taken when the camera is aimed, not when it next
       moves: by then the character may have gone, and the camera would stay behind. */
    #offsetNow() {
        const place = this.#followedPlace();
        return place && this.controls.target.clone().sub(place);
    }

    /* Without delay to where the followed character is: for single pictures. */
    jump() {
        const place = this.#followedPlace();
        if (!place) return;
        this.followOffset ??= this.#offsetNow();
        const move = place.add(this.followOffset).sub(this.controls.target);
        move.z = 0;
        this.controls.target.add(move);
        this.camera.position.add(move);
    }

    /* The camera goes where the followed character goes: along the ground at once, up and down slowly. */
    #followStep(seconds) {
        const place = this.#followedPlace();
        if (!place) return;
        this.followOffset ??= this.#offsetNow();
        const wanted = place.add(this.followOffset),
            move = wanted.sub(this.controls.target);
        const soft = 1 - Math.exp(-seconds * 12),
            softer = 1 - Math.exp(-seconds * 3);
        if (move.length() < 4) move.set(move.x * soft, move.y * soft, move.z * softer);
        this.controls.target.add(move);
        this.camera.position.add(move);
    }

    #makeLights() {
        this.hemisphere = new HemisphereLight();
        this.hemisphere.position.set(0, 0, 1);
        this.key = new DirectionalLight();
        this.key.castShadow = true;
        this.key.shadow.mapSize.set(2048, 2048);
        this.key.shadow.bias = -0.0004;
        this.key.shadow.normalBias = 0.012;
        this.key.shadow.radius = 3;
        this.fill = new DirectionalLight();
        this.rim = new DirectionalLight();
        for (const light of [this.key, this.fill, this.rim]) this.scene.add(light, light.target);
        this.scene.add(this.hemisphere);
        this.setShadowRange(3.2);
    }

    setShadowRange(range) {
        const camera = this.key.shadow.camera;
        this.shadowRange = range;
        camera.left = camera.bottom = -range;
        camera.right = camera.top = range;
        camera.near = 0.5;
        camera.far = 14 + 4 * range;
        camera.updateProjectionMatrix();
    }

    setTheme(theme) {
        this.theme = themes[theme] ? theme : "light";
        const look = themes[this.theme];
        this.canvas.style.background = `linear-gradient(${look.sky.map(([part, color]) => `${color} ${100 * part}%`).join(", ")})`;
        this.hemisphere.color.set(look.hemisphere[0]);
        this.hemisphere.groundColor.set(look.hemisphere[1]);
        this.hemisphere.intensity = look.hemisphere[2];
        for (const name of ["key", "fill", "rim"]) {
            this[name].color.set(look[name][0]);
            this[name].intensity = look[name][1];
        }
        this.ground.paint(look.ground, look.line);
        for (const c of this.characters.values()) this.#paint(c);
    }

    setGround({ z, visible }) {
        if (z !== undefined) this.ground.mesh.position.z = z;
        if (visible !== undefined) this.ground.mesh.visible = visible;
    }

    setQuality(quality) {
        this.quality = quality;
        this.key.shadow.mapSize.setScalar(quality === "low" ? 1024 : 2048);
        this.key.shadow.map?.dispose();
        this.key.shadow.map = null;
        this.resize();
    }

    resize() {
        const { clientWidth: w, clientHeight: h } = this.canvas;
        if (!w || !h) return;
        const ratio = Math.min(globalThis.devicePixelRatio || 1, this.quality === "low" ? 1 : 2);
        this.renderer.setPixelRatio(ratio);
        this.renderer.setSize(w, h, false);
        this.camera.aspect = w / h;
        /* A tall, narrow picture keeps the width it shows rather than the height. */
        this.camera.fov =
            w >= h
                ? 36
                : 2 *
                  (180 / Math.PI) *
                  Math.atan(Math.tan((18 * Math.PI) / 180) * Math.min(1.6, h / w) ** 0.5);
        this.camera.updateProjectionMatrix();
    }

    /* Lights stand still as seen from what the camera looks at; shadows move by whole texels, which keeps them calm. */
    #lightStep() {
        const t = this.controls.target,
            texel = (2 * this.shadowRange) / this.key.shadow.mapSize.x;
        const x = Math.round(t.x / texel) * texel,
            y = Math.round(t.y / texel) * texel,
            z = this.ground.mesh.position.z;
        const far = 4 + this.shadowRange;
        this.key.position.set(x + 0.45 * far, y - 0.62 * far, z + 1.15 * far);
        this.fill.position.set(x - 5, y - 3, z + 3);
        this.rim.position.set(x - 4, y + 5, z + 4);
        for (const light of [this.key, this.fill, this.rim]) light.target.position.set(x, y, z);
    }

    render(seconds = 1 / 60) {
        if (this.followed !== null) this.#followStep(seconds);
        this.controls.update();
        this.#lightStep();
        this.ground.follow(this.controls.target, this.camera);
        this.renderer.render(this.scene, this.camera);
    }

    /* The picture with the sky behind it. */
    snapshot() {
        this.render(0);
        const { width, height } = this.canvas,
            copy = document.createElement("canvas"),
            pen = copy.getContext("2d");
        copy.width = width;
        copy.height = height;
        const sky = pen.createLinearGradient(0, 0, 0, height);
        for (const [part, color] of themes[this.theme].sky) sky.addColorStop(part, color);
        pen.fillStyle = sky;
        pen.fillRect(0, 0, width, height);
        pen.drawImage(this.canvas, 0, 0);
        return copy.toDataURL("image/png");
    }

    dispose() {
        this.clear();
        this.observer.disconnect();
        this.controls.dispose();
        this.ground.mesh.geometry.dispose();
        this.ground.mesh.material.dispose();
        this.renderer.dispose();
    }
}
