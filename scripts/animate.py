#!/usr/bin/env python3
"""Draws one period of a looping run as an animated SVG, for the README.

usage: sinew track humanoid run --ground --duration 2 --rate 50 --record run.json
       scripts/animate.py run.json 0.68 2.176 docs/run.svg      (period in seconds, way per period in metres)
"""
import base64, json, math, struct, sys

recording, period, way, out = json.load(open(sys.argv[1])), float(sys.argv[2]), float(sys.argv[3]), sys.argv[4]


def channel(c):
    data = base64.b64decode(c["data"])
    if c["type"] == "f32":
        return struct.unpack(f"<{len(data) // 4}f", data)
    return [c["scale"] * v for v in struct.unpack(f"<{len(data) // 2}h", data)]


def rotate(q, v):
    w, x, y, z = q
    t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])]
    return [v[0] + w * t[0] + y * t[2] - z * t[1],
            v[1] + w * t[1] + z * t[0] - x * t[2],
            v[2] + w * t[2] + x * t[1] - y * t[0]]


person = recording["characters"][0]
bodies = recording["models"][person["model"]]["bodies"]
time, root = channel(recording["time"]), channel(person["root"])
position, rotation = channel(person["position"]), channel(person["rotation"])
first = next(i for i, t in enumerate(time) if t >= period)
last = next(i for i, t in enumerate(time) if t >= 2 * period - 1e-3)
frames = range(first, last + 1)

azimuth, elevation, scale, width, height = math.radians(25), math.radians(8), 190, 640, 400
ca, sa, ce, se = math.cos(azimuth), math.sin(azimuth), math.cos(elevation), math.sin(elevation)


def project(p):  # right, down and away from the eye
    right, back = ca * p[0] - sa * p[1], sa * p[0] + ca * p[1]
    return width / 2 + scale * right, 360 - scale * (ce * p[2] + se * back), back


begin_x = root[3 * first]
parts = []
for b, body in enumerate(bodies):
    for shape in body["shapes"]:
        half = {"capsule": shape["size"][1], "box": shape["size"][0]}.get(shape["type"], 0)
        axis = [1, 0, 0] if shape["type"] == "box" else [0, 0, 1]
        radius = shape["size"][2] if shape["type"] == "box" else shape["size"][0]
        ends = {key: [] for key in ("x1", "y1", "x2", "y2")}
        depth = 0
        for f in frames:
            at = [root[3 * f + k] + position[3 * (f * len(bodies) + b) + k] for k in range(3)]
            at[0] -= begin_x + way * (time[f] - time[first]) / period
            turn = rotation[4 * (f * len(bodies) + b):][:4]
            for sign, number in ((-1, 1), (1, 2)):
                local = rotate(shape["rot"], [sign * half * a for a in axis])
                point = rotate(turn, [local[k] + shape["pos"][k] for k in range(3)])
                x, y, back = project([at[k] + point[k] for k in range(3)])
                ends[f"x{number}"].append(f"{x:.0f}")
                ends[f"y{number}"].append(f"{y:.0f}")
                depth += back
        left = "left" in body["name"]
        color = "#2b6cb0" if left else "#c05621" if "right" in body["name"] else "#4a5568"
        always = f'dur="{2 * period}s" repeatCount="indefinite"'
        lines = "".join(f'<animate attributeName="{key}" {always} values="{";".join(v)}"/>' for key, v in ends.items())
        parts.append((-depth, f'<line x1="{ends["x1"][0]}" y1="{ends["y1"][0]}" x2="{ends["x2"][0]}" y2="{ends["y2"][0]}" '
                              f'stroke="{color}" stroke-width="{2 * radius * scale:.0f}">{lines}</line>'))

ticks = []
for i in range(-9, 14):
    near, far = project([i * way / 6, -0.8, 0]), project([i * way / 6, 0.8, 0])
    ticks.append(f'<path d="M{near[0]:.0f} {near[1]:.0f}L{far[0]:.0f} {far[1]:.0f}"/>')
step = project([-way, 0, 0])
origin = project([0, 0, 0])
ground = (f'<g stroke="#cbd5e0" stroke-width="2"><animateTransform attributeName="transform" type="translate" '
          f'dur="{2 * period}s" repeatCount="indefinite" values="0 0;{step[0] - origin[0]:.1f} {step[1] - origin[1]:.1f}"/>{"".join(ticks)}</g>')
svg = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
       f'<title>A humanoid runs under stable PD control, at half speed</title>'
       f'<rect width="{width}" height="{height}" fill="#f7fafc"/>'
       f'{ground}<g stroke-linecap="round">{"".join(part for _, part in sorted(parts))}</g></svg>\n')
open(out, "w").write(svg)
