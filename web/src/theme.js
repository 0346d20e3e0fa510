/* Light or dark: as the system says, until the reader chooses; the choice is kept where the browser lets it be. */
const sun =
    '<svg viewBox="0 0 24 24"><circle cx="12" cy="12" r="4.6"/><path d="M12 1.5v3.2M12 19.3v3.2M1.5 12h3.2M19.3 12h3.2M4.6 4.6l2.2 2.2M17.2 17.2l2.2 2.2M19.4 4.6l-2.2 2.2M6.8 17.2l-2.2 2.2" stroke="currentColor" stroke-width="2" stroke-linecap="round"/></svg>';
const moon = '<svg viewBox="0 0 24 24"><path d="M20.5 14.6A9 9 0 0 1 9.4 3.5a9 9 0 1 0 11.1 11.1z"/></svg>';

const system = matchMedia("(prefers-color-scheme: dark)");

function stored() {
    try {
        return localStorage.getItem("sinew-theme");
    } catch {
        return null; /* a page from a file may have no storage */
    }
}

/* Calls changed("light" | "dark") now and whenever the theme changes. Returns { toggle, set, name() }. */
export function setupTheme(button, changed) {
    let chosen = stored(),
        now = null;
    const apply = () => {
        const name = chosen ?? (system.matches ? "dark" : "light");
        if (name === now) return;
        now = name;
        document.documentElement.dataset.theme = name;
        if (button) button.innerHTML = name === "dark" ? sun : moon;
        changed(name);
    };
    const set = (name) => {
        chosen = name;
        try {
            localStorage.setItem("sinew-theme", name);
        } catch {
            /* then it holds for this page only */
        }
        apply();
    };
    const toggle = () => set(now === "dark" ? "light" : "dark");
    system.addEventListener("change", apply);
    button?.addEventListener("click", toggle);
    apply();
    return { toggle, set, name: () => now };
}
