/* What the stage looks like: colours by day and by night, those of a crowd, and the material of ghosts. */
import { Color, ShaderMaterial } from "three";

const look = {
    /* from the top down */
    sky: {
        light: [
            [0, "#dbe5ef"],
            [0.46, "#f3f5f7"],
            [0.54, "#e9ecef"],
            [1, "#dcdfe4"],
        ],
        dark: [
            [0, "#0d1218"],
            [0.46, "#1a222c"],
            [0.54, "#1b222b"],
            [1, "#12161c"],
        ],
    },
    ground: { light: "#e3e8ee", dark: "#262e38" },
    line: { light: "#8b97a5", dark: "#6f8296" },
    character: { light: "#e9bb88", dark: "#e8b680" },
    ghost: { light: "#2f7fd1", dark: "#6fb6ff" },
    hot: { light: "#e02d1b", dark: "#ff4a2e" },
    hemisphere: { light: ["#ffffff", "#b9aca0", 1.55], dark: ["#b9cbe4", "#4a4038", 1.25] },
    key: { light: ["#fff3e2", 2.5], dark: ["#fff0dc", 2.6] },
    fill: { light: ["#cfe0ff", 0.55], dark: ["#9fbcff", 0.8] },
    rim: { light: ["#ffffff", 0.7], dark: ["#bcd6ff", 1.5] },
};

const theme = (name) => Object.fromEntries(Object.entries(look).map(([key, value]) => [key, value[name]]));
export const themes = { light: theme("light"), dark: theme("dark") };

export const crowdColors = [
    "#e3a468",
    "#d98a6a",
    "#d8b878",
    "#9db58a",
    "#86a9b8",
    "#a596bd",
    "#cf8f9a",
    "#c9b6a0",
];

/* A thin shell that is bright at its edges, so that what it covers stays visible. */
export function ghostMaterial(color) {
    return new ShaderMaterial({
        uniforms: { tint: { value: new Color(color) }, strength: { value: 1 } },
        vertexShader: `
            varying vec3 n, v;
            void main() {
                vec4 p = modelViewMatrix * vec4(position, 1.0);
                n = normalize(normalMatrix * normal);
                v = normalize(-p.xyz);
                gl_Position = projectionMatrix * p;
                /* As deep as if it were 3 cm further away: where both are nearly the same, the solid one is seen. */
                vec4 deeper = projectionMatrix * (p - vec4(0.0, 0.0, 0.03, 0.0));
                gl_Position.z = deeper.z / deeper.w * gl_Position.w;
            }`,
        fragmentShader: `
            uniform vec3 tint;
            uniform float strength;
            varying vec3 n, v;
            void main() {
                float rim = pow(1.0 - abs(dot(normalize(n), normalize(v))), 1.6);
                gl_FragColor = vec4(tint, strength * mix(0.16, 0.85, rim));
                #include <colorspace_fragment>
            }`,
        transparent: true,
        depthWrite: false,
    });
}
