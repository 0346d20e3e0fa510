/* embed.html, for an iframe: what its address says becomes the attributes of the <sinew-view> in it. Values are checked there;
 * a policy is one of those beside the page, by its name. */
import "./view.js";

const params = new URLSearchParams(location.search.slice(0, 500)), view = document.querySelector("sinew-view");
for (const name of ["scene", "model", "motion", "kp", "kd", "theme", "paused"]) if (params.has(name)) view.setAttribute(name, params.get(name));
if (/^[a-z-]{1,40}$/.test(params.get("policy") ?? "")) view.setAttribute("policy", `policies/${params.get("policy")}.sinew`);
if (!["scene", "model", "motion"].some((name) => params.has(name))) view.setAttribute("motion", "run");
if (!params.has("theme") && matchMedia("(prefers-color-scheme: dark)").matches) view.setAttribute("theme", "dark");
view.addEventListener("error", ({ detail }) => {
    const notice = document.getElementById("notice");
    notice.textContent = `This does not work here: ${detail.message ?? detail}`;
    notice.hidden = false;
});
const link = document.getElementById("link");
if (params.has("scene")) link.href = `play/#${new URLSearchParams({ scene: params.get("scene") })}`;
