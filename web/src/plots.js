/* Line plots on a canvas, with a cursor that follows and sets the time.
 *
 *   const plot = new Plot(element, { title, unit, lines: [{ name, color, values, dashed }], x, onScrub });
 *   plot.setCursor(x)                 the vertical line; the legend shows the values there
 *   plot.setLines(lines, x)           other data; values: [x.length] numbers, NaN leaves a gap
 *   plot.append(x, [y, ...])          live data, one value per line; the plot keeps the last options.window seconds
 *   plot.clear(), plot.draw(), plot.dispose()
 *
 * element: an empty one that becomes the plot. color: a CSS variable's name ("--line1") or a colour. onScrub(x) is called
 * while the reader drags in the plot. options: window (s, live plots), min, max (of y, unless the data asks for more),
 * digits (in the legend, default 2), height (px), extra (an element for the heading).
 */
const MARGIN = { left: 42, right: 8, top: 6, bottom: 18 };

function niceStep(span, count) {
    const rough = span / Math.max(1, count),
        power = 10 ** Math.floor(Math.log10(rough)),
        lead = rough / power;
    return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

export const tidy = (v, digits = 2) =>
    !Number.isFinite(v)
        ? "–"
        : Math.abs(v) >= 1000
          ? Math.round(v).toLocaleString("en")
          : v.toFixed(Math.abs(v) >= 100 ? 0 : digits);

export class Plot {
    constructor(element, options = {}) {
        this.options = options;
        this.element = element;
        element.classList.add("plot");
        const header = document.createElement("header"),
            title = document.createElement("h2");
        title.textContent = options.unit ? `${options.title} (${options.unit})` : options.title;
        header.append(title);
        if (options.extra) header.append(options.extra);
        this.legend = document.createElement("div");
        this.legend.className = "legend";
        header.append(this.legend);
        this.canvas = document.createElement("canvas");
        this.canvas.setAttribute("role", "img");
        this.canvas.setAttribute("aria-label", title.textContent);
        if (options.height) this.canvas.style.height = `${options.height}px`;
        element.append(header, this.canvas);
        this.cursor = null;
        this.setLines(options.lines ?? [], options.x ?? []);
        this.observer = new ResizeObserver(() => this.draw());
        this.observer.observe(this.canvas);
        this.#listen();
    }

    setLines(lines, x) {
        this.lines = lines.map((line) => ({ ...line, values: line.values ?? [] }));
        this.x = x;
        this.legend.replaceChildren();
        for (const line of this.lines) {
            const item = document.createElement("span"),
                dash = document.createElement("i");
            line.label = document.createElement("span");
            line.swatch = dash;
            item.append(dash, line.label);
            this.legend.append(item);
        }
        this.range = null;
        this.draw();
    }

    append(x, ys) {
        const most = this.options.window ?? 10;
        this.x.push(x);
        this.lines.forEach((line, i) => line.values.push(ys[i]));
        while (this.x.length > 2 && this.x[0] < x - most) {
            this.x.shift();
            for (const line of this.lines) line.values.shift();
        }
        this.range = null;
        this.cursor = null;
        this.draw();
    }

    clear() {
        this.setLines(
            this.lines.map((line) => ({ ...line, values: [] })),
            [],
        );
    }

    setCursor(x) {
        this.cursor = x;
        this.draw(false);
    }

    dispose() {
        this.observer.disconnect();
    }

    #listen() {
        let held = false;
        const scrub = (event) => {
            const box = this.canvas.getBoundingClientRect(),
                inner = box.width - MARGIN.left - MARGIN.right;
            const part = Math.min(1, Math.max(0, (event.clientX - box.left - MARGIN.left) / inner));
            const [from, to] = this.#xRange();
            this.options.onScrub?.(from + part * (to - from));
        };
        if (!this.options.onScrub) return;
        this.canvas.addEventListener("pointerdown", (event) => {
            held = true;
            this.canvas.setPointerCapture(event.pointerId);
            scrub(event);
        });
        this.canvas.addEventListener("pointermove", (event) => held && scrub(event));
        for (const name of ["pointerup", "pointercancel"])
            this.canvas.addEventListener(name, () => (held = false));
    }

    #xRange() {
        const x = this.x,
            window = this.options.window;
        if (!x.length) return [0, window ?? 1];
        const last = x[x.length - 1];
        if (window) return [Math.max(x[0], last - window), Math.max(last, x[0] + window)];
        return [x[0], last > x[0] ? last : x[0] + 1];
    }

    #yRange() {
        if (this.range) return this.range;
        let low = this.options.min ?? Infinity,
            high = this.options.max ?? -Infinity;
        for (const line of this.lines)
            for (const v of line.values)
                if (Number.isFinite(v)) {
                    if (v < low) low = v;
                    if (v > high) high = v;
                }
        if (!(low <= high)) [low, high] = [0, 1];
        if (high - low < 1e-12) high = low + Math.max(1e-9, Math.abs(low) * 0.1 || 1);
        this.range = [low, high + 0.05 * (high - low)];
        return this.range;
    }

    /* The last value at or before x. */
    #index(x) {
        let low = 0,
            high = this.x.length - 1;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (this.x[middle] <= x + 1e-9) low = middle;
            else high = middle - 1;
        }
        return low;
    }

    /* Axes and lines are drawn once and kept; only the cursor goes over them again. */
    draw(fresh = true) {
        const { clientWidth: w, clientHeight: h } = this.canvas;
        if (!w || !h) return;
        const ratio = Math.min(globalThis.devicePixelRatio || 1, 2),
            style = getComputedStyle(this.canvas);
        const color = (c) => (c?.startsWith("--") ? style.getPropertyValue(c) : c) || "#888";
        const wide = Math.round(w * ratio),
            high = Math.round(h * ratio);
        if (this.canvas.width !== wide || this.canvas.height !== high) {
            this.canvas.width = wide;
            this.canvas.height = high;
            fresh = true;
        }
        const [x0, x1] = this.#xRange(),
            [y0, y1] = this.#yRange();
        const px = (x) => MARGIN.left + ((x - x0) / (x1 - x0)) * (w - MARGIN.left - MARGIN.right);
        const py = (y) => h - MARGIN.bottom - ((y - y0) / (y1 - y0)) * (h - MARGIN.top - MARGIN.bottom);
        if (fresh || !this.kept) {
            this.kept ??= document.createElement("canvas");
            this.kept.width = wide;
            this.kept.height = high;
            const pen = this.kept.getContext("2d");
            pen.setTransform(ratio, 0, 0, ratio, 0, 0);
            this.#axes(pen, w, h, px, py, [x0, x1, y0, y1], color);
            for (const line of this.lines) this.#line(pen, line, px, py, color);
        }
        const pen = this.canvas.getContext("2d");
        pen.setTransform(1, 0, 0, 1, 0, 0);
        pen.clearRect(0, 0, wide, high);
        pen.drawImage(this.kept, 0, 0);
        pen.setTransform(ratio, 0, 0, ratio, 0, 0);
        this.#marker(pen, h, px, py, color);
        this.#words(color);
    }

    #axes(pen, w, h, px, py, [x0, x1, y0, y1], color) {
        pen.font = `11px ${getComputedStyle(this.canvas).fontFamily}`;
        pen.lineWidth = 1;
        pen.strokeStyle = color("--edge");
        pen.fillStyle = color("--faint");
        pen.textAlign = "right";
        pen.textBaseline = "middle";
        const yStep = niceStep(y1 - y0, (h - 24) / 30),
            xStep = niceStep(x1 - x0, w / 70);
        for (let y = Math.ceil(y0 / yStep - 1e-9) * yStep; y <= y1; y += yStep) {
            const at = Math.round(py(y)) + 0.5;
            pen.beginPath();
            pen.moveTo(MARGIN.left, at);
            pen.lineTo(w - MARGIN.right, at);
            pen.stroke();
            pen.fillText(shortNumber(y, yStep), MARGIN.left - 6, at);
        }
        pen.textAlign = "center";
        pen.textBaseline = "top";
        for (let x = Math.ceil(x0 / xStep - 1e-9) * xStep; x <= x1 + 1e-9; x += xStep) {
            const at = px(x);
            if (at < w - 12)
                pen.fillText(`${shortNumber(x, xStep)}${x === 0 ? " s" : ""}`, at, h - MARGIN.bottom + 5);
        }
    }

    /* Of many values that fall on one column of pixels only the least and the most are drawn. */
    #line(pen, line, px, py, color) {
        pen.strokeStyle = color(line.color);
        pen.lineWidth = line.dashed ? 1.2 : 1.6;
        pen.lineJoin = "round";
        pen.setLineDash(line.dashed ? [5, 4] : []);
        pen.beginPath();
        let open = false,
            column = null,
            low = 0,
            high = 0;
        const end = () => {
            if (column !== null && high > low) {
                pen.lineTo(column, py(low));
                pen.lineTo(column, py(high));
            }
            column = null;
        };
        for (let i = 0; i < this.x.length; i++) {
            const v = line.values[i],
                at = px(this.x[i]);
            if (!Number.isFinite(v)) {
                end();
                open = false;
                continue;
            }
            if (open && column !== null && at - column < 0.4) {
                low = Math.min(low, v);
                high = Math.max(high, v);
                continue;
            }
            end();
            if (open) pen.lineTo(at, py(v));
            else pen.moveTo(at, py(v));
            open = true;
            column = at;
            low = high = v;
        }
        end();
        pen.stroke();
        pen.setLineDash([]);
    }

    #marker(pen, h, px, py, color) {
        if (this.cursor === null || !this.x.length) return;
        const at = px(this.cursor),
            i = this.#index(this.cursor);
        pen.strokeStyle = color("--soft");
        pen.lineWidth = 1;
        pen.beginPath();
        pen.moveTo(at, MARGIN.top);
        pen.lineTo(at, h - MARGIN.bottom);
        pen.stroke();
        for (const line of this.lines) {
            if (!Number.isFinite(line.values[i]) || line.dashed) continue;
            pen.fillStyle = color(line.color);
            pen.beginPath();
            pen.arc(px(this.x[i]), py(line.values[i]), 3.2, 0, 7);
            pen.fill();
        }
    }

    #words(color) {
        const i = this.cursor === null ? this.x.length - 1 : this.#index(this.cursor);
        for (const line of this.lines) {
            line.swatch.style.background = color(line.color);
            const text = `${line.name}${line.dashed ? "" : ` ${tidy(line.values[i], this.options.digits ?? 2)}`}`;
            if (line.label.textContent !== text) line.label.textContent = text;
        }
    }
}

function shortNumber(v, step) {
    if (Math.abs(v) < step / 1000) return "0";
    if (Math.abs(v) >= 10000) return `${+(v / 1000).toPrecision(3)}k`;
    return String(+v.toFixed(Math.max(0, Math.ceil(-Math.log10(step) - 1e-9))));
}
