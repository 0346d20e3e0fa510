/* Where a ball starts and how fast it flies (m/s), { from, velocity }: from beside the eye through a point of the picture. */
export function aimBall(stage, x, y, speed = 13) {
    const { origin, direction } = stage.ray(x, y), hit = stage.pick(x, y), centre = stage.controls.target;
    const reach = Math.max(1, Math.hypot(origin[0] - centre.x, origin[1] - centre.y, origin[2] - centre.z) - 2.6);
    const from = direction.map((d, k) => origin[k] + d * reach);
    const goal = hit?.point ?? direction.map((d, k) => origin[k] + d * (reach + 2.6));
    const way = goal.map((g, k) => g - from[k]), flight = Math.max(0.05, Math.hypot(...way) / speed);
    return { from, velocity: way.map((w, k) => w / flight + (k === 2 ? 0.5 * 9.81 * flight : 0)) };
}
