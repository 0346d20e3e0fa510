/* The playground: the page's controls over the engine (play_engine.js) and the views (play_view.js). */
import "./play.css";
import { aimBall } from "./aim.js";
import { RemoteCrowd } from "./crowd_remote.js";
import { loadPool } from "./learn_pool.js";
import { loadEngine } from "./play_engine.js";
import { watchFiles, watchKeys, watchPointer } from "./play_input.js";
import { defaults, fromHash, gainScale, maxCrowd, presets, sceneIn, sceneries, steps, toHash } from "./play_settings.js";
import { View } from "./play_view.js";
import { Plot } from "./plots.js";
import { setupTheme } from "./theme.js";

const $ = (id) => document.getElementById(id);
const kpScale = gainScale(10, 1e6), kdScale = gainScale(0.1, 1e5), sizeScale = gainScale(1, maxCrowd);
const motionsOf = { humanoid: ["run", "walk", "cartwheel", "backflip", "kick", "pass", "catch"], dog: ["trot", "pace", "canter"], snake: ["slither"], mouse: ["keyframes"], tinkertoy: ["helix", "corners"] };
const formTexts = {
    explicit: ["PD", "τ = −k<sub>p</sub> e − k<sub>d</sub> q̇"],
    "implicit-d": ["Implicit D", "τ = −k<sub>p</sub> e − k<sub>d</sub> (q̇ + h q̈)"],
    stable: ["Stable PD", "τ = −k<sub>p</sub> (e + h q̇) − k<sub>d</sub> (q̇ + h q̈)"],
    full: ["Full", "τ = −k<sub>p</sub> (e + h q̇ + h² q̈) − k<sub>d</sub> (q̇ + h q̈)"],
};
const icons = {
    pause: '<svg viewBox="0 0 24 24"><path d="M7 5h4v14H7zM13 5h4v14h-4z"/></svg>',
    play: '<svg viewBox="0 0 24 24"><path d="M8 4.5v15l12-7.5z"/></svg>',
};
const crowdRate = 60, drawnCrowd = 500;

class App {
    constructor() {
        const { settings, moment } = fromHash(location.hash);
        this.settings = settings;
        this.moment = moment;
        this.views = [];
        this.dropped = { models: [], clips: [] };
        this.running = !matchMedia("(prefers-reduced-motion: reduce)").matches;
        this.speed = 1;
        this.left = 0; /* s still to be simulated */
        this.costs = []; /* s a step took, of the last frames */
        this.frameTime = 1 / 60;
        this.resets = 0;
        this.look = { ghost: false, forces: false, shapes: false, follow: true };
        this.theme = setupTheme($("theme"), (name) => this.views.forEach((view) => view.stage.setTheme(name)));
        this.plot = new Plot($("plot"), { title: "Tracking error", unit: "mm", window: 6, min: 0, height: 96, digits: 1, lines: [{ name: "mean of end effectors", color: "--line1" }] });
        this.addView($("view-a"));
        this.#wire();
    }

    /* ------------------------------------------------------------------------------------------ what is simulated */

    get gains() {
        const { kp, kd, root } = this.settings;
        return { kp, kd, rootKp: root ? 20000 : 0, rootKd: root ? 2000 : 0 }; /* maba-2020 section 4.1 */
    }

    addView(element) {
        const view = new View(element, this.theme.name());
        view.look = this.look;
        view.stage.onLost = (lost) => this.toast(lost ? "The graphics card was lost. The picture comes back when it does." : "The picture is back.");
        view.setDetail(this.detail ?? 2);
        view.verdict.querySelector("button").addEventListener("click", () => this.reset());
        watchPointer(view, this);
        this.views.push(view);
        return view;
    }

    /* Another character or motion. Throws what the library says against it; then the old one stays. */
    load(model, motion) {
        const subject = this.engine.subject(model, motion);
        this.#freeScenes();
        this.subject?.free();
        this.subject = subject;
        Object.assign(this.settings, { model, motion });
        for (const view of this.views) view.setSubject(subject);
        this.start(this.moment);
        this.moment = null;
        this.#fillChoices();
        this.tell(subject.warnings.slice(0, 3).join("\n"), true);
    }

    /* All that run now: one for each view, or the crowd. */
    get scenes() {
        return this.crowd ? [this.crowd] : this.views.map((view) => view.scene).filter(Boolean);
    }

    get time() {
        return Math.max(0, ...this.scenes.map((scene) => scene.time));
    }

    #freeScenes() {
        for (const view of this.views) {
            view.scene?.free();
            view.scene = null;
        }
        this.crowd?.free();
        this.crowd = null;
    }

    /* Scenes, or a crowd, as the settings say; at a moment, or from the start. */
    start(moment = null) {
        const { settings, subject } = this;
        this.#freeScenes();
        this.left = 0;
        this.costs = [];
        this.told = 0;
        this.plotted = -1;
        if (settings.view === "crowd") {
            this.#startCrowd();
        } else {
            const forms = settings.view === "split" ? ["explicit", settings.form === "explicit" ? "stable" : settings.form] : [settings.form];
            forms.forEach((form, i) => {
                const view = this.views[i];
                if (view.crowd) view.setSubject(subject);
                const scene = subject.scene({ form, contact: settings.contact, dt: 1 / settings.rate, time: moment?.time ?? 0 });
                scene.setGains(this.gains);
                scene.setReaction(settings.react);
                if (moment?.state?.length === subject.nq + subject.nv) scene.state = moment.state;
                view.setScene(scene);
                view.form = form;
            });
        }
        this.plot.clear();
        this.#showSettings();
    }

    #startCrowd() {
        const { settings, subject } = this, substeps = Math.max(1, Math.round(settings.rate / crowdRate));
        const dt = settings.rate < crowdRate ? 1 / settings.rate : 1 / crowdRate / substeps;
        this.crowdStep = dt * substeps;
        const files = Object.fromEntries([...this.engine.files].map((name) => [name, this.engine.readFile(name)]));
        const scene = { copies: settings.count, drawn: drawnCrowd, form: settings.form, contact: settings.contact, dt, substeps };
        this.crowd = new RemoteCrowd((this.pool ??= this.loadPool()), { model: settings.model, motion: settings.motion, files, scene }, (error) => this.tell(error.message));
        this.crowd.setGains(this.gains);
        this.crowd.setReaction(settings.react);
        this.views[0].setCrowd(this.crowd);
    }

    reset() {
        this.resets++;
        try {
            this.start();
            this.tell("");
        } catch (error) {
            this.tell(error.message);
        }
    }

    /* The present time and state, for scenes that are made again under way. */
    now() {
        const scene = this.views[0].scene;
        return scene && !scene.diverged ? { time: scene.time, state: scene.state } : null;
    }

    set(change, { restart = false } = {}) {
        const before = this.settings;
        this.settings = { ...before, ...change };
        try {
            if (restart) this.start("view" in change ? null : this.now());
            else
                for (const scene of this.scenes) {
                    scene.setGains(this.gains);
                    if ("react" in change) scene.setReaction(this.settings.react);
                }
        } catch (error) {
            this.settings = before;
            this.tell(error.message);
            this.start();
        }
        this.#showSettings();
        clearTimeout(this.hashTimer);
        this.hashTimer = setTimeout(() => history.replaceState(null, "", toHash(this.settings) || location.pathname + location.search), 300);
    }

    setRate(rate) {
        this.settings = { ...this.settings, rate };
        if (this.settings.view === "crowd") return this.set({}, { restart: true });
        for (const view of this.views) view.scene?.setDt(1 / rate);
        this.set({});
    }

    setMode(mode) {
        const two = mode === "split";
        $("views").classList.toggle("two", two);
        if (two && this.views.length < 2) {
            const element = $("view-a").cloneNode(true);
            element.id = "view-b";
            $("views").append(element);
            this.addView(element).setSubject(this.subject);
        } else if (!two && this.views.length > 1) {
            const view = this.views.pop();
            view.scene?.free();
            view.dispose();
            view.element.remove();
        }
        /* A crowd takes long steps, as stable PD allows. */
        const { view, rate } = this.settings, change = { view: mode };
        if (mode === "crowd" && view !== "crowd") {
            this.usualRate = rate;
            change.rate = crowdRate;
        } else if (mode !== "crowd" && view === "crowd") change.rate = this.usualRate ?? rate;
        this.set(change, { restart: true });
        this.views.forEach((view) => (view.framed = false));
    }

    /* ---------------------------------------------------------------------------------------------------- a frame */

    frame(seconds) {
        this.frameTime += 0.06 * (Math.min(seconds, 1) - this.frameTime);
        this.#adapt(seconds);
        if (this.running) this.#simulate(Math.min(seconds, 0.25) * this.speed);
        for (const view of this.views) {
            view.holdOn?.();
            view.draw(seconds, this.settings.root);
        }
        if (this.views.length > 1) this.views[this.leader === this.views[1] ? 0 : 1].lookLike(this.views[this.leader === this.views[1] ? 1 : 0]);
        this.#report();
    }

    /* Where drawing is slow, less of it: a coarser shadow, then none and fewer pixels. What was given up comes back after a
       while of quick frames; if that makes it slow again, the next try waits longer. */
    #adapt(seconds) {
        const slow = seconds > 1 / 25, { detail = 2, patience = 8 } = this;
        this.slow = Math.max(0, (this.slow ?? 0) + (slow ? Math.min(seconds, 0.5) : -seconds));
        this.quick = slow ? 0 : (this.quick ?? 0) + seconds;
        if (this.keepDetail) return;
        if (this.slow >= 1.2 && detail > 0) {
            if (this.regained) this.patience = 4 * patience;
            this.#setDetail(detail - 1);
        } else if (this.quick > patience && detail < 2) {
            this.regained = true;
            this.#setDetail(detail + 1);
        }
    }

    #setDetail(detail) {
        this.slow = this.quick = 0;
        this.detail = detail;
        for (const view of this.views) view.setDetail(detail);
    }

    #simulate(seconds) {
        const began = performance.now(), budget = 14;
        const dt = this.crowd ? this.crowdStep : 1 / this.settings.rate;
        this.left = Math.min(this.left + seconds, 0.26);
        if (this.crowd) return this.#simulateCrowd(dt);
        let taken = 0;
        while (this.left >= dt - 1e-9) {
            for (const scene of this.scenes) scene.step(1);
            this.left -= dt;
            taken++;
            if (performance.now() - began > budget) {
                this.left = 0; /* too slow for real time: rather slow motion than a page that hangs */
                break;
            }
        }
        if (!taken) return;
        this.costs.push((performance.now() - began) / 1000 / taken);
        if (this.costs.length > 31) this.costs.shift();
        this.#watchOver();
    }

    /* A worker takes the steps that are due; a slow one shows slow motion. */
    #simulateCrowd(dt) {
        const count = Math.floor(this.left / dt + 1e-9);
        if (!count || this.crowd.busy) return;
        this.crowd.step(Math.min(count, 6));
        this.left = Math.min(this.left - count * dt, dt);
    }

    async #advanceCrowd(count) {
        this.crowd.step(count);
        await this.crowd.idle();
        return this.stats();
    }

    /* So many seconds at once, without drawing: for the console and the tests. */
    advance(seconds) {
        const dt = this.crowd ? this.crowdStep : 1 / this.settings.rate;
        if (this.crowd) return this.#advanceCrowd(Math.round(seconds / dt));
        for (let i = Math.round(seconds / dt); i > 0; i--) {
            for (const scene of this.scenes) scene.step(1);
            this.#watchOver();
        }
        for (const scene of this.scenes) scene.look();
        return this.stats();
    }

    /* Divergence is reported; a motion that ends begins again after a breath. */
    #watchOver() {
        for (const view of this.views) {
            const scene = view.scene;
            if (scene?.diverged && view.verdict.hidden)
                view.say(`${formTexts[view.form][0]} diverged`, `after ${scene.time < 0.1 ? scene.time.toFixed(3) : scene.time.toFixed(2)} s at kp ${short(this.settings.kp)}, dt 1/${this.settings.rate}`);
        }
        const { subject } = this;
        if (subject.duration && !subject.loops && this.time > subject.duration + 1.5) this.start();
    }

    #report() {
        const scenes = this.views.map((view) => view.scene);
        const { time } = this;
        $("clock").value = `${time.toFixed(2)} s`;
        if (!this.crowd && this.running && time - this.plotted > 0.02) {
            this.plotted = time;
            this.plot.append(time, scenes.map((scene) => (scene && !scene.diverged ? 1000 * scene.error : NaN)));
        }
        if (performance.now() - (this.told ?? 0) < 150) return;
        this.told = performance.now();
        const stats = this.stats();
        $("readout").textContent = `${Math.round(stats.fps)} frames per second`;
        const tiles = this.crowd
            ? [[`${(1e6 * stats.stepTime / this.settings.count).toFixed(2)} <small>µs</small>`, "per character-step"], [`${(1000 * stats.stepTime).toFixed(1)} <small>ms</small>`, "per step of all"], [`${this.crowd.diverged}`, "diverged"]]
            : [[`${(1000 * stats.error).toFixed(1)} <small>mm</small>`, this.subject.curve ? "off curve and rods" : "tracking error"], [`${(1e6 * stats.stepTime).toFixed(0)} <small>µs</small>`, this.views.length > 1 ? "per step of both" : "per step"], [`${stats.contacts}`, "contacts"], ...(this.settings.react ? [[`${Math.round(100 * stats.gain)} <small>%</small>`, "of the gains"]] : [])];
        $("tiles").innerHTML = tiles.map(([value, name]) => `<div class="tile"><b>${value}</b><span>${name}</span></div>`).join("");
        if (this.crowd) {
            $("count").querySelector("b").textContent = stats.realTime.toLocaleString("en");
            const { count } = this.settings, slow = stats.realTime && stats.realTime < count ? `, ${Math.max(2, Math.round(count / stats.realTime))} times slower than real time` : "";
            $("count").querySelector("span").textContent = `${this.subject.modelName}s would run in real time here, in one thread\n${count.toLocaleString("en")} run now${slow}; ${this.crowd.drawn} are drawn`;
            $("crowd-fine").textContent = `${this.crowd.lanes || "…"}, ${this.settings.contact === "none" ? "no contact" : "on the ground"}`;
        }
    }

    /* The median: other programs and the compiler disturb single frames. */
    get stepTime() {
        if (this.crowd) return this.crowd.stepTime;
        const sorted = [...this.costs].sort((a, b) => a - b);
        return sorted[sorted.length >> 1] ?? 0;
    }

    /* Numbers, for the page and for tests. */
    stats() {
        const scene = this.views[0].scene;
        return {
            time: this.time,
            error: scene?.error ?? 0,
            contacts: scene?.contactCount ?? 0,
            gain: scene?.gain ?? 1,
            diverged: this.views.map((view) => !!view.scene?.diverged),
            fps: 1 / this.frameTime,
            stepTime: this.stepTime,
            realTime: this.crowd && this.stepTime ? roundDown((this.settings.count * this.crowdStep) / this.stepTime) : 0,
            memory: this.engine.memory,
            simd: this.engine.simd,
        };
    }

    /* ------------------------------------------------------------------------------------------------- the visitor */

    lead(view) {
        this.leader = view;
    }

    held() {
        if (!this.running) this.toggle();
    }

    toggle() {
        this.running = !this.running;
        this.#showRunning();
    }

    push() {
        const angle = Math.random() * 2 * Math.PI;
        for (const scene of this.scenes) scene.push(Math.cos(angle), Math.sin(angle), 4);
    }

    /* From beside the camera through a point of the picture; in a split view at both. */
    throwAt(view, x, y) {
        const { from, velocity } = aimBall(view.stage, x, y);
        for (const other of this.views) {
            const scene = other.scene;
            scene?.throwBall(other === view ? from : shift(from, view, other), velocity);
        }
    }

    /* At the chest or somewhere near, from wherever the camera is. */
    ball() {
        const view = this.views[0];
        if (!view.scene) return this.toast("A crowd catches no balls: choose One");
        const box = view.canvas.getBoundingClientRect();
        this.throwAt(view, box.left + box.width * (0.5 + 0.03 * (Math.random() - 0.5)), box.top + box.height * (0.45 + 0.12 * (Math.random() - 0.5)));
        if (!this.running) this.toggle();
    }

    async share() {
        const shared = [this.settings.model, this.settings.motion].every((name) => !this.engine.files.has(name));
        const address = `${location.origin}${location.pathname}${toHash(this.settings, this.crowd ? null : this.now())}`;
        clearTimeout(this.hashTimer); /* a change just before would put an address without the moment there */
        history.replaceState(null, "", address);
        let text = "Link copied: it opens this very moment";
        try {
            await navigator.clipboard.writeText(address);
        } catch {
            text = "The address above is a link to this very moment";
        }
        this.toast(shared ? text : `${text}; dropped files are not in it`);
    }

    toast(text) {
        $("toast").textContent = text;
        $("toast").hidden = false;
        clearTimeout(this.toastTimer);
        this.toastTimer = setTimeout(() => ($("toast").hidden = true), 3200);
    }

    /* A line under the choice of character; mild: a remark. */
    tell(text, mild = false) {
        $("message").hidden = !text;
        $("message").textContent = text;
        $("message").classList.toggle("mild", mild);
    }

    async open(list) {
        const files = [...list];
        for (const file of files) this.engine.writeFile(file.name, new Uint8Array(await file.arrayBuffer()));
        const names = files.map((file) => file.name);
        /* A motion capture in two files, and a DeepMimic character with its controller, go by their names together. */
        const asf = names.find((name) => /\.asf$/i.test(name)), amc = names.find((name) => /\.amc$/i.test(name));
        const kinds = names.map((name) => [name, this.engine.kindOf(name === amc && asf ? `${asf}+${amc}` : name)]);
        const model = kinds.find(([, kind]) => kind.model)?.[0], clip = kinds.find(([name, kind]) => kind.clip && name !== asf);
        const motion = clip ? (clip[0] === amc && asf ? `${asf}+${amc}` : clip[0]) : "";
        const broken = kinds.find(([name, kind]) => /\.(bvh|amc)$/i.test(name) && !kind.clip); /* its skeleton alone may be good */
        if (broken) return this.tell(broken[1].error);
        if (!model && !clip) return this.tell(kinds[0][1].error || `${names[0]}: not a file that can be read here`);
        try {
            this.load(model ?? this.settings.model, motion);
            if (model && !this.dropped.models.includes(model)) this.dropped.models.push(model);
            if (motion && !this.dropped.clips.includes(motion)) this.dropped.clips.push(motion);
            this.#fillChoices();
            this.#showSettings();
        } catch (error) {
            this.tell(error.message);
        }
    }

    /* --------------------------------------------------------------------------------------------------- the page */

    #fillChoices() {
        const { model, motion } = this.settings, own = this.engine.models.includes(model);
        fill($("model"), [...this.engine.models, ...this.dropped.models], model);
        const kind = Object.keys(motionsOf).find((name) => model.startsWith(name));
        fill($("motion"), [...(own ? (motionsOf[kind] ?? []) : []), ...this.dropped.clips, ...(kind === "tinkertoy" ? [] : [""])], motion, { "": "hold still" });
    }

    /* A scene by its name: settings, character and motion at once. */
    scenery(name) {
        const { model, motion, view = "single", speed = 1, ...drive } = sceneries[name], { kp, kd, form, rate, contact, count } = defaults;
        if (this.settings.view !== "single") this.setMode("single");
        Object.assign(this.settings, { kp, kd, form, rate, contact, count }, drive);
        this.choose(model, motion);
        if (view !== "single") this.setMode(view);
        this.setSpeed(speed);
        this.scene = { name, settings: JSON.stringify(this.settings) };
        this.#showSettings();
    }

    setSpeed(speed) {
        this.speed = speed;
        $("speed").value = String(speed);
    }

    choose(model, motion) {
        try {
            this.load(model, motion);
            this.set({});
        } catch (error) {
            this.tell(error.message);
            this.#fillChoices();
        }
    }

    #showSettings() {
        const s = this.settings;
        for (const button of document.querySelectorAll("[data-view]")) button.setAttribute("aria-pressed", String(button.dataset.view === s.view));
        for (const button of document.querySelectorAll("[data-form]")) {
            button.setAttribute("aria-checked", String(button.dataset.form === s.form));
            button.tabIndex = button.dataset.form === s.form ? 0 : -1;
        }
        $("formula").innerHTML = formTexts[s.form][1];
        slide($("kp"), kpScale.place(s.kp), s.kp.toLocaleString("en"));
        slide($("kd"), kdScale.place(s.kd), s.kd.toLocaleString("en"));
        slide($("rate"), steps.indexOf(s.rate), `1/${s.rate} s`);
        slide($("size"), sizeScale.place(s.count), s.count.toLocaleString("en"));
        $("root").checked = s.root;
        $("react").checked = s.react;
        $("contact").value = s.contact;
        /* A scene whose knobs were turned is not that scene any more. */
        const scene = this.scene?.settings === JSON.stringify(s) ? this.scene.name : null;
        for (const button of document.querySelectorAll("[data-scenery]")) button.setAttribute("aria-pressed", String(button.dataset.scenery === scene));
        const crowd = s.view === "crowd";
        $("crowd-card").hidden = $("count").hidden = !crowd;
        $("plot-card").hidden = crowd;
        for (const id of ["ghost", "forces", "shapes"]) $(id).hidden = crowd;
        $("ball").hidden = crowd;
        const split = s.view === "split";
        this.views.forEach((view) => view.setLabel(split && view.form ? `${formTexts[view.form][0]} <small>${formTexts[view.form][1]}</small>` : null));
        const lines = split
            ? this.views.map((view, i) => ({ name: formTexts[view.form ?? "stable"][0], color: i ? "--line1" : "--line2" }))
            : [{ name: this.subject?.curve ? "worst tie" : "mean of end effectors", color: "--line1" }];
        const key = lines.map((line) => line.name).join();
        if (key !== this.lineKey) {
            this.lineKey = key;
            this.plot.setLines(lines.map((line) => ({ ...line, values: [] })), []);
        }
        if (this.subject) $("fine").textContent = `${this.subject.nbody} bodies, ${this.subject.nv} degrees of freedom, ${this.subject.mass.toFixed(1)} kg · Sinew ${this.engine.version}, WebAssembly ${this.engine.simd ? "with SIMD" : "without SIMD"}`;
    }

    #wire() {
        const on = (id, act) => $(id).addEventListener("click", act);
        const toggleLook = (name) => () => {
            this.look[name] = !this.look[name];
            $(name).setAttribute("aria-pressed", String(this.look[name]));
        };
        const acts = {
            play: () => this.toggle(), reset: () => this.reset(), push: () => this.push(), ball: () => this.ball(), share: () => this.share(),
            home: () => this.views.forEach((view) => view.home()), help: () => $("keys").showModal(),
            ghost: () => {
                toggleLook("ghost")();
                this.views.forEach((view) => view.standApart(this.look.ghost));
            }, forces: toggleLook("forces"), shapes: toggleLook("shapes"), follow: toggleLook("follow"),
            fill: () => {
                const n = this.stats().realTime;
                if (n) this.set({ count: Math.max(1, Math.min(maxCrowd, roundDown(0.9 * n))) }, { restart: true });
            },
        };
        for (const [id, act] of Object.entries(acts)) on(id, act);
        for (const button of document.querySelectorAll("[data-view]")) button.addEventListener("click", () => this.setMode(button.dataset.view));
        for (const button of document.querySelectorAll("[data-form]")) button.addEventListener("click", () => this.set({ form: button.dataset.form }, { restart: true }));
        $("forms").addEventListener("keydown", (event) => {
            const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key], all = [...$("forms").children];
            if (!way) return;
            const next = all[(all.indexOf(document.activeElement) + way + all.length) % all.length];
            next.focus();
            next.click();
        });
        for (const button of document.querySelectorAll("[data-preset]")) button.addEventListener("click", () => this.set(presets[button.dataset.preset]));
        $("kp").addEventListener("input", () => this.set({ kp: kpScale.value(+$("kp").value) }));
        $("kd").addEventListener("input", () => this.set({ kd: kdScale.value(+$("kd").value) }));
        $("rate").addEventListener("input", () => this.setRate(steps[+$("rate").value]));
        $("size").addEventListener("change", () => this.set({ count: Math.max(1, Math.round(sizeScale.value(+$("size").value))) }, { restart: true }));
        $("size").addEventListener("input", () => ($("size").nextElementSibling.value = Math.max(1, Math.round(sizeScale.value(+$("size").value))).toLocaleString("en")));
        for (const button of document.querySelectorAll("[data-scenery]")) button.addEventListener("click", () => this.scenery(button.dataset.scenery));
        $("react").addEventListener("change", () => this.set({ react: $("react").checked }));
        $("root").addEventListener("change", () => this.set({ root: $("root").checked }));
        $("contact").addEventListener("change", () => this.set({ contact: $("contact").value }, { restart: true }));
        $("speed").addEventListener("change", () => (this.speed = +$("speed").value));
        $("model").addEventListener("change", () => {
            const model = $("model").value, kind = Object.keys(motionsOf).find((name) => model.startsWith(name));
            const clip = this.dropped.clips.includes(model) ? model : "";
            this.choose(model, this.engine.models.includes(model) ? (motionsOf[kind]?.[0] ?? "") : clip);
        });
        $("motion").addEventListener("change", () => this.choose(this.settings.model, $("motion").value));
        const speedBy = (way) => () => {
            const box = $("speed"), at = Math.max(0, Math.min(box.options.length - 1, box.selectedIndex + way));
            box.selectedIndex = at;
            this.speed = +box.value;
        };
        const orbit = (across, up, nearer = 1) => () => this.views.forEach((view) => view.stage.orbit(0.12 * across, 0.08 * up, nearer));
        watchKeys({
            " ": acts.play, r: acts.reset, p: acts.push, b: acts.ball, l: acts.share, g: acts.ghost, f: acts.forces, s: acts.shapes, v: acts.follow, h: acts.home,
            "?": acts.help, d: () => this.theme.toggle(), "[": speedBy(-1), "]": speedBy(1),
            1: () => this.setMode("single"), 2: () => this.setMode("split"), 3: () => this.setMode("crowd"),
            ArrowLeft: orbit(-1, 0), ArrowRight: orbit(1, 0), ArrowUp: orbit(0, 1), ArrowDown: orbit(0, -1), "+": orbit(0, 0, 0.85), "-": orbit(0, 0, 1.18),
            ".": () => !this.running && this.#simulate(this.crowd ? this.crowdStep : 1 / this.settings.rate),
        });
        watchFiles($("drop"), $("open"), $("files"), (files) => this.open(files));
        addEventListener("hashchange", () => {
            if (sceneIn(location.hash)) return this.scenery(sceneIn(location.hash));
            const { settings, moment } = fromHash(location.hash);
            this.moment = moment;
            this.begin(settings);
        });
        this.#showRunning();
    }

    #showRunning() {
        $("play").innerHTML = this.running ? icons.pause : icons.play;
        $("play").setAttribute("aria-label", this.running ? "Pause" : "Go on");
    }

    /* Everything as the settings say; what is not available is replaced by the default. */
    begin(settings) {
        this.settings = { ...settings, view: "single" };
        try {
            this.load(settings.model, settings.motion);
        } catch (error) {
            this.settings = { ...this.settings, model: defaults.model, motion: defaults.motion };
            this.load(defaults.model, defaults.motion);
            this.tell(error.message);
        }
        if (settings.view !== "single" || this.views.length > 1) this.setMode(settings.view);
        if (settings.view === "crowd" && settings.rate !== defaults.rate) this.setRate(settings.rate);
    }
}

const short = (value) => (value >= 1000 ? `${value / 1000}k` : String(value));
const roundDown = (n) => (n > 1000 ? 100 * Math.floor(n / 100) : Math.floor(n));

/* A point of one view's scene at the same place beside the other view's character. */
function shift(point, view, other) {
    const a = view.stage.controls.target, b = other.stage.controls.target;
    return [point[0] + b.x - a.x, point[1] + b.y - a.y, point[2]];
}

function fill(select, names, chosen, texts = {}) {
    select.replaceChildren(...names.map((name) => new Option(texts[name] ?? name, name, false, name === chosen)));
    select.value = chosen;
}

function slide(input, place, text) {
    input.value = place;
    input.nextElementSibling.value = text;
}

async function main() {
    /* The stage is set up while the engine is fetched and compiled. */
    const base = new URL("../", import.meta.url);
    const plain = new URLSearchParams(location.search).has("plain") || undefined;
    const loading = loadEngine({ base, plain });
    const times = {}, app = new App();
    times.stage = performance.now();
    app.engine = await loading;
    app.loadPool = () => loadPool(base, { plain: !app.engine.simd });
    times.engine = performance.now();
    globalThis.sinew = app; /* for the console and the tests */
    const scene = sceneIn(location.hash) ?? (location.hash.length > 1 ? null : "run");
    app.begin(app.settings);
    if (scene) app.scenery(scene);
    times.begin = performance.now();
    app.times = times;
    let last = performance.now();
    const loop = (now) => {
        app.frame(Math.max(0, now - last) / 1000);
        last = now;
        if (!app.shown) {
            app.shown = performance.now(); /* ms since the page was asked for */
            $("notice").hidden = true;
        }
        requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
}

main().catch((error) => {
    $("notice").hidden = false;
    $("notice").textContent = `This browser cannot run the playground: ${error.message}`;
    throw error;
});
