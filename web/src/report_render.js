/* Pictures instead of a page: what 'sinew render' asks for in the part of the address after '#'. Each becomes a line of
 * text in the document; nothing else is left in it. */
import { Scene } from "./report_scene.js";

export function renderPictures(recording, wishes) {
    const number = (key, otherwise) => Number(wishes.get(key) ?? otherwise);
    const lines = [],
        out = document.createElement("pre"),
        canvas = document.createElement("canvas");
    document.body.replaceChildren(canvas);
    document.getElementById("recording")?.remove();
    canvas.style.cssText = `display:block;width:${number("width", 1280)}px;height:${number("height", 720)}px`;
    try {
        const scene = new Scene(canvas, recording, {
            theme: wishes.get("theme") ?? "light",
            preserveDrawingBuffer: true,
        });
        scene.look({ azimuth: number("azimuth", -52), elevation: number("elevation", 11) });
        scene.setShow({
            ghost: wishes.get("ghost") ?? "overlay",
            forces: wishes.has("forces"),
            torques: wishes.has("torques"),
        });
        for (let i = 0; i < number("count", 1); i++) {
            const frame = number("first", 0) + i;
            scene.setTime(Math.min(recording.duration, number("from", 0) + frame / number("fps", 30)));
            scene.stage.jump();
            lines.push(`frame ${frame} ${scene.stage.snapshot()}`);
        }
    } catch (error) {
        lines.push(`failure ${error.message}`);
    }
    out.textContent = `\n${lines.join("\n")}\n`;
    document.head.replaceChildren();
    document.body.replaceChildren(out);
}
