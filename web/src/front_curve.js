/* The curves of trainings: seconds on their feet, on a logarithmic scale, against seconds of training. */
const width = 320, height = 120, left = 34, right = 6, top = 8, bottom = 20;
const low = 0.3, high = 20;
const levels = [[0.5, "0.5 s"], [2, "2 s"], [10, "10 s"]];

const make = (name, attributes, text) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (text) node.textContent = text;
    return node;
};
const placeY = (v) => top + (height - top - bottom) * (1 - Math.log(Math.min(high, Math.max(low, v)) / low) / Math.log(high / low));

export class Curve {
    constructor(svg) {
        this.svg = svg;
        this.clear();
    }

    clear() {
        this.lines = [[]];
        this.draw();
    }

    add(seconds, value, line = 0) {
        (this.lines[line] ??= []).push([seconds, value]);
        this.draw();
    }

    draw() {
        const { svg, lines } = this, span = Math.max(20, ...lines.map((points) => points?.at(-1)?.[0] ?? 0));
        const placeX = (t) => left + ((width - left - right) * t) / span;
        svg.replaceChildren();
        for (const [value, text] of levels) {
            const y = placeY(value).toFixed(1);
            svg.append(make("line", { class: "grid", x1: left, x2: width - right, y1: y, y2: y }), make("text", { x: 0, y: +y + 4 }, text));
        }
        svg.append(make("text", { x: width - right, y: height - 4, "text-anchor": "end" }, `${Math.round(span)} s of training`));
        lines.forEach((points, i) => {
            const last = points?.at(-1);
            if (!last) return;
            svg.append(make("polyline", { class: `line line${i}`, points: points.map(([t, v]) => `${placeX(t).toFixed(1)},${placeY(v).toFixed(1)}`).join(" ") }));
            svg.append(make("circle", { class: `dot line${i}`, r: 4, cx: placeX(last[0]).toFixed(1), cy: placeY(last[1]).toFixed(1) }));
        });
    }
}
