/* Ground without end: a disc that goes along with the camera and fades out, with lines every metre and every fifth of
 * one. It is seen through at its rim, where the page's own background takes over. */
import { CircleGeometry, Color, Mesh, MeshStandardMaterial, Vector2 } from "three";

const RADIUS = 160;

export function makeGround() {
    const uniforms = {
        lineColor: { value: new Color() },
        centre: { value: new Vector2() },
        reach: { value: 12 },
    };
    const material = new MeshStandardMaterial({ roughness: 1, metalness: 0, transparent: true });
    material.onBeforeCompile = (shader) => {
        Object.assign(shader.uniforms, uniforms);
        shader.vertexShader = shader.vertexShader
            .replace("#include <common>", "#include <common>\nvarying vec2 ground;")
            .replace(
                "#include <begin_vertex>",
                "#include <begin_vertex>\nground = (modelMatrix * vec4(position, 1.0)).xy;",
            );
        shader.fragmentShader = shader.fragmentShader
            .replace(
                "#include <common>",
                `#include <common>
                varying vec2 ground;
                uniform vec3 lineColor;
                uniform vec2 centre;
                uniform float reach;
                /* How much of a pixel lines so far apart cover; thin ones vanish before they could flicker. */
                float lines(float step, float width) {
                    vec2 at = ground / step, wide = fwidth(at);
                    vec2 off = abs(fract(at - 0.5) - 0.5);
                    vec2 cover = 1.0 - smoothstep(vec2(0.0), wide * 1.2 + width / step, off);
                    vec2 calm = 1.0 - smoothstep(vec2(0.15), vec2(0.5), wide);
                    return max(cover.x * calm.x, cover.y * calm.y);
                }`,
            )
            .replace(
                "#include <color_fragment>",
                `#include <color_fragment>
                float line = max(0.55 * lines(1.0, 0.006), 0.16 * lines(0.2, 0.002));
                diffuseColor.rgb = mix(diffuseColor.rgb, lineColor, line);
                diffuseColor.a = 1.0 - smoothstep(0.25 * reach, reach, distance(ground, centre));`,
            );
    };
    const mesh = new Mesh(new CircleGeometry(RADIUS, 48), material);
    mesh.receiveShadow = true;
    mesh.renderOrder = 0;
    return {
        mesh,
        paint(ground, line) {
            material.color.set(ground);
            uniforms.lineColor.value.set(line);
        },
        follow(target, camera) {
            mesh.position.x = Math.round(target.x);
            mesh.position.y = Math.round(target.y);
            uniforms.centre.value.set(target.x, target.y);
            uniforms.reach.value = Math.min(RADIUS, 9 + 2.2 * camera.position.distanceTo(target));
        },
    };
}
