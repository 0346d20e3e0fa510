/* Mouse, fingers, keys and dropped files. */

/* Pulling at bodies and throwing balls on a view's canvas. app: grab(view), hand, ball. */
export function watchPointer(view, app) {
    const { canvas, stage } = view;
    let held = null, tap = 0;

    canvas.addEventListener(
        "pointerdown",
        (event) => {
            app.lead(view);
            if (event.button !== 0 || !view.scene) return;
            const now = performance.now(), twice = event.pointerType === "touch" && now - tap < 300;
            tap = now;
            if (event.shiftKey || twice) {
                app.throwAt(view, event.clientX, event.clientY);
                event.stopImmediatePropagation();
                return;
            }
            const hit = stage.pick(event.clientX, event.clientY);
            if (!hit || hit.id !== view.id || !view.scene.grab(hit.body, hit.point)) return;
            held = { pointer: event.pointerId, through: hit.point };
            view.hand = hit.point;
            stage.controls.enabled = false;
            canvas.setPointerCapture(event.pointerId);
            canvas.classList.add("held");
            app.held();
            event.stopImmediatePropagation();
        },
        true,
    );
    canvas.addEventListener("pointermove", (event) => {
        if (!held) {
            if (event.pointerType === "mouse" && !event.buttons && view.scene) {
                const hit = stage.pick(event.clientX, event.clientY);
                canvas.classList.toggle("grab", hit?.id === view.id);
            }
            return;
        }
        if (event.pointerId !== held.pointer) return;
        /* The plane of the hand goes along with the body, or a runner would run away from it. */
        const grip = view.scene?.grip ?? held.through;
        view.hand = stage.dragPoint(event.clientX, event.clientY, grip);
        held.at = [event.clientX, event.clientY];
        view.scene?.drag(view.hand);
    });
    const release = (event) => {
        if (!held || event.pointerId !== held.pointer) return;
        held = null;
        view.scene?.release();
        stage.controls.enabled = true;
        canvas.classList.remove("held");
    };
    canvas.addEventListener("pointerup", release);
    canvas.addEventListener("pointercancel", release);
    /* Called every frame: the camera may move under a mouse that does not. */
    view.holdOn = () => {
        if (!held?.at || !view.scene) return;
        const grip = view.scene.grip;
        if (!grip) return;
        view.hand = stage.dragPoint(...held.at, grip);
        view.scene.drag(view.hand);
    };
}

/* keys: { " ": f, r: f, ... }. Not while someone types or a dialog is open. */
export function watchKeys(keys) {
    addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const target = event.target;
        if (document.querySelector("dialog[open]")) return;
        if (target.matches?.("select, input[type=text], textarea")) return;
        if (event.key === " " && target.matches?.("button, input[type=checkbox]")) return;
        const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
        if (!act) return;
        event.preventDefault();
        act(event);
    });
}

/* Calls open(FileList) for what is dropped on the page or chosen in the input. */
export function watchFiles(overlay, button, input, open) {
    let depth = 0;
    const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
    addEventListener("dragenter", (event) => {
        if (!hasFiles(event)) return;
        depth++;
        overlay.hidden = false;
    });
    addEventListener("dragleave", (event) => {
        if (!hasFiles(event)) return;
        depth = Math.max(0, depth - 1);
        overlay.hidden = depth === 0;
    });
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
        event.preventDefault();
        depth = 0;
        overlay.hidden = true;
        if (event.dataTransfer?.files.length) open(event.dataTransfer.files);
    });
    button.addEventListener("click", () => input.click());
    input.addEventListener("change", () => {
        if (input.files.length) open(input.files);
        input.value = "";
    });
}
