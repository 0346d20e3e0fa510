/* The report's page: replay, plots and numbers of one recording, which is in the document as JSON. */
import { Plot, tidy } from "./plots.js";
import { groundForce, locate, mainCharacter, readRecording, torqueOf } from "./report_recording.js";
import { renderPictures } from "./report_render.js";
import { Scene } from "./report_scene.js";
import { setupTheme } from "./theme.js";

const $ = (id) => document.getElementById(id);
const icons = {
    play: '<svg viewBox="0 0 24 24"><path d="M7 4.5v15l13-7.5z"/></svg>',
    pause: '<svg viewBox="0 0 24 24"><path d="M6 4.5h4.2v15H6zM13.8 4.5H18v15h-4.2z"/></svg>',
};

function element(tag, text, more = {}) {
    return Object.assign(document.createElement(tag), text === undefined ? {} : { textContent: text }, more);
}

class Report {
    constructor(recording) {
        this.recording = recording;
        this.time = 0;
        this.playing = false;
        this.plots = [];
        this.#headline();
        this.#numbers();
        this.#tables();
        try {
            this.scene = new Scene($("stage"), recording, { theme: document.documentElement.dataset.theme });
        } catch (error) {
            this.#notice(`The replay needs WebGL, which this browser does not give: ${error.message}`);
        }
        this.#makePlots();
        this.theme = setupTheme($("theme"), (name) => {
            this.scene?.stage.setTheme(name);
            this.#wake();
            for (const plot of this.plots) plot.draw();
        });
        this.#controls();
        this.#keys();
        this.seek(0);
        this.setPlaying(!matchMedia("(prefers-reduced-motion: reduce)").matches);
        this.last = performance.now();
        requestAnimationFrame((now) => this.#tick(now));
    }

    #notice(text) {
        $("notice").textContent = text;
        $("notice").hidden = false;
    }

    /* ------------------------------------------------------------------------------------------- words and numbers */

    #headline() {
        const { result: r, duration, rate, frames } = this.recording;
        const name = [r.character, r.clip].filter(Boolean).map((s) => s.replace(/^.*\//, ""));
        $("title").textContent = name.length ? name.join(" · ") : "Recording";
        document.title = `${name.join(" ") || "recording"} – Sinew report`;
        $("subtitle").textContent = [
            r.nv && `${r.nv} degrees of freedom`,
            r.steps && `${r.steps} steps`,
            `${tidy(duration)} s`,
        ]
            .filter(Boolean)
            .join(", ");
        $("fine").textContent =
            `Sinew ${this.recording.version}; ${frames} frames, ${+rate.toFixed(2)} a second. End effectors: mean distance of the vectors from the root to them.`;
        $("verdict").hidden = r.diverged === undefined && r.fell === undefined;
        if (r.fell !== undefined) {
            $("verdict").classList.toggle("bad", r.fell);
            $("verdict").textContent = r.fell ? `fell after ${tidy(r.seconds ?? duration, 1)} s` : `on its feet for ${tidy(r.seconds ?? duration, 0)} s`;
        }
        if (r.episodes) {
            $("verdict").hidden = false;
            $("verdict").classList.toggle("bad", r.lasted < r.episodes / 2);
            $("verdict").textContent = `${r.lasted} of ${r.episodes} episodes lasted`;
        }
        if (r.diverged === undefined) return;
        $("verdict").classList.toggle("bad", r.diverged);
        $("verdict").textContent = r.diverged
            ? `diverged at ${tidy(r.steps * r.dt)} s`
            : `within ${tidy(1e3 * r.error.effector_mean, 1)} mm`;
    }

    #numbers() {
        const { error, torque_peaks: peaks } = this.recording.result,
            c = mainCharacter(this.recording);
        const root = new Set(c.model.bodies.filter((b) => b.joint.type === "free").map((b) => b.name));
        const top = Math.max(
            0,
            ...Object.entries(peaks ?? {})
                .filter(([name]) => !root.has(name))
                .map(([, v]) => v),
        );
        const tile = (value, unit, label, bad) => {
            const box = element("div", undefined, { className: bad ? "tile bad" : "tile" }),
                b = element("b", value);
            b.append(element("small", ` ${unit}`));
            box.append(b, element("span", label));
            $("tiles").append(box);
        };
        if (error) {
            tile(tidy(1e3 * error.effector_mean, 1), "mm", "end effectors, mean", false);
            tile(
                tidy(1e3 * error.effector_max, 1),
                "mm",
                "end effectors, worst",
                !(error.effector_max < 0.1),
            );
            tile(tidy((180 / Math.PI) * error.joint_mean, 2), "°", "worst joint, mean", false);
            tile(
                tidy((180 / Math.PI) * error.joint_max, 2),
                "°",
                "worst joint, worst",
                !(error.joint_max < 0.5),
            );
        }
        const learned = this.recording.result;
        if (learned.normalised_return !== undefined) {
            tile(tidy(learned.normalised_return, 3), "", "normalised return", !(learned.normalised_return > 0.5));
            tile(`${learned.lasted}`, `of ${learned.episodes}`, "episodes lasted", false);
            tile(tidy(1e-6 * learned.samples, 2), "million", "samples", false);
            tile(tidy(learned.seconds, 0), "s", "of training", false);
        }
        if (learned.fell !== undefined) tile(tidy(learned.mean_reward, 3), "", "mean reward; 1 is perfect", false);
        if (learned.push) tile(`${learned.push.standing}`, `of ${learned.push.of}`, `stand after ${tidy(learned.push.force, 0)} N`, learned.push.standing < learned.push.of / 2);
        if (c.torque && peaks) tile(tidy(top, 0), "N m", "largest joint torque", false);
        tile(tidy(c.model.mass, 1), "kg", "mass", false);
    }

    #tables() {
        for (const [key, value] of Object.entries(this.recording.settings)) {
            const row = element("tr");
            row.append(element("td", key), element("td", String(value)));
            $("settings").append(row);
        }
        const c = mainCharacter(this.recording),
            bodies = c.model.bodies;
        const peaks = bodies
            .map((body, i) => [i, this.recording.result.torque_peaks?.[body.name] ?? 0])
            .filter(([i, peak]) => bodies[i].joint.type !== "free" && peak > 0)
            .sort((a, b) => b[1] - a[1])
            .slice(0, 12);
        for (const [i, peak] of peaks) {
            const name = element("button", bodies[i].name, { type: "button" }),
                bar = element("i");
            name.addEventListener("click", () => this.choose(i));
            bar.style.width = `${(100 * peak) / peaks[0][1]}%`;
            $("peaks").append(name, bar, element("span", `${tidy(peak, 1)} N m`));
        }
        $("peaks-card").hidden = peaks.length === 0;
        for (const event of this.recording.events) {
            const item = element("li"),
                button = element("button", `${tidy(event.time)} s: ${event.kind}, ${event.text}`, {
                    type: "button",
                });
            button.addEventListener("click", () => this.seek(event.time));
            item.append(button);
            $("events").append(item);
        }
        $("events-card").hidden = this.recording.events.length === 0;
    }

    /* ------------------------------------------------------------------------------------------------------- plots */

    /* Of a training: how long episodes lasted, which begin to fall in the first second, and how good the judged policy was. */
    #makeCurves() {
        const { learning } = this.recording;
        if (!learning || learning.seconds.length < 2) return;
        const draw = (title, unit, values, name) => {
            const rows = learning.seconds.map((x, i) => [x, values[i]]).filter(([, y]) => y !== null), box = element("div");
            if (rows.length < 2) return;
            $("plots").append(box);
            new Plot(box, { title, unit, min: 0, digits: 2, x: rows.map(([x]) => x), lines: [{ name, color: "--line1", values: rows.map(([, y]) => y) }] });
        };
        draw("Seconds on its feet, in training", "s", learning.on_feet, "mean of an episode");
        draw("Return of the policy, judged", "", learning.normalised, "1 is perfect");
    }

    #makePlots() {
        const { time, errors, contacts, frames } = this.recording,
            c = mainCharacter(this.recording);
        const x = Array.from(time),
            onScrub = (t) => this.seek(t);
        const add = (options) => {
            const box = element("div");
            $("plots").append(box);
            const plot = new Plot(box, { x, onScrub, min: 0, ...options });
            this.plots.push(plot);
            return plot;
        };
        this.#makeCurves();
        if (errors.reward)
            add({
                title: "Reward",
                unit: "",
                digits: 3,
                lines: [{ name: "per step", color: "--line1", values: errors.reward }],
            });
        if (errors.effector)
            add({
                title: "End-effector error",
                unit: "mm",
                lines: [{ name: "mean", color: "--line1", values: errors.effector.map((v) => 1e3 * v) }],
            });
        if (errors.joint)
            add({
                title: "Joint error",
                unit: "degrees",
                lines: [
                    {
                        name: "worst joint",
                        color: "--line2",
                        values: errors.joint.map((v) => (180 / Math.PI) * v),
                    },
                ],
            });
        if (c.torque) this.#torquePlot(add, c, frames);
        if (contacts.total) {
            const force = new Float32Array(frames),
                weight = new Float32Array(frames).fill(9.81 * c.model.mass);
            for (let f = 0; f < frames; f++) force[f] = groundForce(this.recording, c, f);
            add({
                title: "Ground force",
                unit: "N",
                digits: 0,
                lines: [
                    { name: "up", color: "--line3", values: force },
                    { name: "weight", color: "--faint", values: weight, dashed: true },
                ],
            });
        }
    }

    #torquePlot(add, c, frames) {
        const bodies = c.model.bodies,
            most = new Float32Array(frames);
        const series = bodies.map((body, b) =>
            body.joint.ndof && body.joint.type !== "free"
                ? Float32Array.from({ length: frames }, (_, f) => torqueOf(c, f, b))
                : null,
        );
        for (let f = 0; f < frames; f++) for (const s of series) if (s && s[f] > most[f]) most[f] = s[f];
        const list = element("select", undefined, { ariaLabel: "Joint" });
        const order = series
            .map((s, b) => [b, s ? s.reduce((most, v) => Math.max(most, v), 0) : -1])
            .filter(([, peak]) => peak >= 0)
            .sort((a, b) => b[1] - a[1]);
        for (const [b] of order) list.append(element("option", bodies[b].name, { value: b }));
        const plot = add({ title: "Joint torque", unit: "N m", digits: 1, lines: [], extra: list });
        this.choose = (body) => {
            if (!series[body]) return;
            list.value = String(body);
            this.chosen = body;
            const lines = [
                { name: "largest", color: "--line4", values: most },
                { name: bodies[body].name, color: "--line1", values: series[body] },
            ];
            plot.setLines(lines, Array.from(this.recording.time));
            plot.setCursor(this.time);
        };
        list.addEventListener("change", () => this.choose(Number(list.value)));
        if (order.length) this.choose(order[0][0]);
    }

    choose() {}

    /* -------------------------------------------------------------------------------------------------------- time */

    seek(time) {
        const { duration } = this.recording;
        this.time = Math.min(duration, Math.max(0, time));
        [this.frame] = locate(this.recording, this.time);
        this.scene?.setTime(this.time);
        this.#wake();
        for (const plot of this.plots) plot.setCursor(this.time);
        $("scrub").value = String(this.time);
        $("clock").textContent = `${this.time.toFixed(2)} s`;
        this.#readout();
    }

    #readout() {
        const lines = [],
            { errors, contacts } = this.recording,
            f = this.frame;
        if (errors.effector)
            lines.push(
                `error ${tidy(1e3 * errors.effector[f], 1)} mm, ${tidy((180 / Math.PI) * (errors.joint?.[f] ?? NaN), 2)}°`,
            );
        if (this.scene?.show.forces) {
            const n = contacts.start[f + 1] - contacts.start[f];
            lines.push(
                contacts.total ? `${n} contact${n === 1 ? "" : "s"}` : "no ground in this run: add --ground",
            );
        }
        $("readout").textContent = lines.join("\n");
    }

    setPlaying(playing) {
        this.playing = playing;
        if (playing && this.time >= this.recording.duration) this.seek(0);
        $("play").innerHTML = playing ? icons.pause : icons.play;
        $("play").setAttribute("aria-label", playing ? "Pause" : "Play");
    }

    /* A picture that stands still need not be drawn again and again; a touch wakes it, and the camera swings out. */
    #wake() {
        this.awake = performance.now() + 2000;
    }

    #tick(now) {
        const seconds = Math.min(0.1, (now - this.last) / 1000);
        this.last = now;
        if (this.playing) {
            const next = this.time + seconds * Number($("speed").value);
            const { duration } = this.recording;
            /* A run that went on to its end starts over; one that broke stays where it broke. */
            if (next >= duration && (this.recording.events.length || duration === 0)) {
                this.seek(duration);
                this.setPlaying(false);
            } else this.seek(next >= duration ? 0 : next);
        }
        if (this.playing || now < this.awake) this.scene?.stage.render(seconds);
        requestAnimationFrame((later) => this.#tick(later));
    }

    /* ---------------------------------------------------------------------------------------------------- controls */

    toggle(what) {
        const { scene } = this;
        if (!scene) return;
        if (what === "ghost") {
            const order = ["overlay", "beside", "off"],
                next = order[(order.indexOf(scene.show.ghost) + 1) % 3];
            scene.setShow({ ghost: next });
            this.#ghostLabel();
        } else if (what === "follow") {
            const on = $("follow").getAttribute("aria-pressed") !== "true";
            $("follow").setAttribute("aria-pressed", String(on));
            scene.stage.follow(on ? scene.id : null);
        } else {
            const on = !scene.show[what];
            scene.setShow({ [what]: on });
            $(what).setAttribute("aria-pressed", String(on));
        }
        this.#readout();
    }

    #ghostLabel() {
        const ghost = this.scene?.show.ghost;
        $("ghost").textContent =
            ghost === "off" ? "Ghost off" : `Ghost ${ghost === "beside" ? "beside" : "over"}`;
        $("ghost").classList.toggle("on", ghost !== "off");
    }

    #controls() {
        $("scrub").max = String(this.recording.duration || 1);
        $("scrub").addEventListener("input", () => {
            this.setPlaying(false);
            this.seek(Number($("scrub").value));
        });
        $("play").addEventListener("click", () => this.setPlaying(!this.playing));
        for (const what of ["ghost", "forces", "torques", "shapes", "follow"])
            $(what).addEventListener("click", () => this.toggle(what));
        $("home").addEventListener("click", () => this.scene?.look());
        $("help").addEventListener("click", () => $("keys").showModal());
        this.#ghostLabel();
        if (!this.scene?.reference) $("ghost").hidden = true;
        for (const name of ["pointerdown", "pointermove", "wheel", "keydown", "resize"])
            addEventListener(name, () => this.#wake(), { passive: true });
        /* A click that is not a drag picks the joint of a limb. */
        let down = null;
        $("stage").addEventListener("pointerdown", (e) => (down = [e.clientX, e.clientY]));
        $("stage").addEventListener("pointerup", (e) => {
            if (!down || !this.scene || Math.hypot(e.clientX - down[0], e.clientY - down[1]) > 5) return;
            const hit = this.scene.stage.pick(e.clientX, e.clientY);
            if (hit) this.choose(hit.body);
        });
    }

    #keys() {
        const speed = $("speed"),
            faster = (by) =>
                (speed.selectedIndex = Math.min(speed.length - 1, Math.max(0, speed.selectedIndex + by)));
        const step = (frames) => {
            const { time, frames: count } = this.recording,
                now = this.frame;
            this.setPlaying(false);
            this.seek(time[Math.min(count - 1, Math.max(0, now + frames))]);
        };
        const actions = {
            " ": () => this.setPlaying(!this.playing),
            ArrowLeft: (e) => (e.shiftKey ? this.seek(this.time - 0.5) : step(-1)),
            ArrowRight: (e) => (e.shiftKey ? this.seek(this.time + 0.5) : step(1)),
            Home: () => this.seek(0),
            End: () => this.seek(this.recording.duration),
            "[": () => faster(-1),
            "]": () => faster(1),
            g: () => this.toggle("ghost"),
            c: () => this.toggle("forces"),
            t: () => this.toggle("torques"),
            s: () => this.toggle("shapes"),
            f: () => this.toggle("follow"),
            h: () => this.scene?.look(),
            d: () => this.theme.toggle(),
            "?": () => $("keys").showModal(),
        };
        addEventListener("keydown", (event) => {
            if (event.ctrlKey || event.metaKey || event.altKey || $("keys").open) return;
            const tag = event.target.tagName,
                own = tag === "SELECT" || (tag === "BUTTON" && event.key === " ") || tag === "SUMMARY";
            const action = actions[event.key];
            if (!action || own) return;
            event.preventDefault();
            action(event);
        });
    }
}

function start() {
    const holder = $("recording");
    if (!holder) {
        setupTheme($("theme"), () => {});
        $("notice").textContent =
            "This page holds no recording yet. 'sinew track ... --report out.html' or 'sinew report' fills it.";
        $("notice").hidden = false;
        return;
    }
    try {
        const recording = readRecording(JSON.parse(holder.textContent)),
            wishes = new URLSearchParams(location.hash.slice(1));
        if (wishes.has("render")) renderPictures(recording, wishes);
        else globalThis.report = new Report(recording);
    } catch (error) {
        setupTheme($("theme"), () => {});
        $("notice").textContent = `The recording in this page cannot be read: ${error.message}`;
        $("notice").hidden = false;
        if (location.hash.startsWith("#render")) document.body.textContent = `\nfailure ${error.message}\n`;
    }
}

start();
