#!/usr/bin/env python3
"""Writes the tables of docs/benchmarks.md from docs/data/bench.json, between marks such as <!-- table spd --> and <!-- end -->.

usage: tables.py            write the tables
       tables.py check      fail if a table does not match the data
       tables.py take KIND FILE.json VERSION [MACHINE]
                            put a measurement into the data. KIND: spd, contact, contact_rows, stability, overhead, crowd_now, learn
                            or protocol, as printed with --json by `sinew bench spd`, `bench contact`, `bench contact --rows`,
                            `bench contact --stability`, `reproduce maba/overhead`, `bench crowd`, `bench learn` and
                            `bench protocol`; piles: as bench/piles.mjs prints it
`make figures` and `make bench-peers` measure and take all of them.
"""
import datetime, json, pathlib, re, sys

root = pathlib.Path(__file__).resolve().parent.parent
page, data = root / "docs/benchmarks.md", root / "docs/data/bench.json"
models = ["humanoid", "dog", "snake36", "snake72", "snake195"]
title_of = {"maba": "MABA", "dense": "dense LDL^T", "lapack": "LAPACK", "sparse": "sparse LTL", "pcg": "PCG"}


def short(value):
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def spd(measured):
    at = {(r["solver"], r["lanes"], r["model"]): r["us"] for r in measured["rows"]}
    size = {r["model"]: r["n"] for r in measured["rows"]}
    kinds = list(dict.fromkeys((r["solver"], r["lanes"]) for r in measured["rows"]))
    rows = [[f"{title_of[s]}, {lanes}"] + [short(at[s, lanes, m]) for m in models] for s, lanes in kinds]
    return ["microseconds per character-step"] + [f"{m}, n = {size[m]}" for m in models], rows


def contact(measured):
    scenes = [("stand", 1 / 240), ("stand", 1 / 60), ("fall", 1 / 240), ("fall", 1 / 60)]
    near = lambda r, scene, dt: r["scene"] == scene and abs(r["dt"] - dt) < 1e-6
    kinds = list(dict.fromkeys((r["engine"], r["contact"]) for r in measured["rows"] if r["precision"] == "double"))
    rows = []
    for engine, way in kinds:
        mine = [r for r in measured["rows"] if (r["engine"], r["contact"], r["precision"]) == (engine, way, "double")]
        rows.append([("Sinew, " if engine == "sinew" else "MuJoCo 2.2.2, ") + way] +
                    [short(next(r["us"] for r in mine if near(r, *s))) for s in scenes])
    return ["microseconds per step, double"] + [f"{s} 1/{round(1 / dt)} s" for s, dt in scenes], rows


def contact_rows(measured):
    chosen = measured["rows"]
    return (["contacts"] + [str(r["contacts"]) for r in chosen],
            [["rows"] + [str(r["rows"]) for r in chosen],
             ["microseconds per step, rows"] + [short(r["rows_us"]) for r in chosen],
             ["microseconds per step, implicit"] + [short(r["implicit_us"]) for r in chosen]])


def overhead(measured):
    rows = []
    for lanes in ("f64", "f32x16"):
        for key, text in (("extra_general_percent", "a general ABA"), ("extra_special_percent", "one specialised for K = 0")):
            at = {r["model"]: r[key] for r in measured["rows"] if r["solver"] == "maba" and r["lanes"] == lanes}
            if at:
                rows.append([f"over {text}, {lanes}"] + [f"{at[m]:.1f}" if m in at else "" for m in models])
    paper = {r["model"]: r["paper_percent"] for r in measured["rows"] if r["solver"] == "maba"}
    rows.append(["maba-2020 table 3"] + [str(paper.get(m, "")) for m in models])
    return ["% of a step"] + models, rows


def stability(measured):
    most = {}
    for r in measured["rows"]:
        row = most.setdefault((r["engine"], r["contact"]), [0, 0, 0, 0])
        row[0] += r["stands"] == "stands"
        row[1] += 1
        row[2] = max(row[2], r["penetration_mm"] or 0)
        row[3] = max(row[3], 1000 * abs(r["drift_m"] or 0))
    size = lambda mm: f"{mm:.2g} mm" if mm < 100 else f"{mm:.0f} mm"
    rows = [[("Sinew, " if engine == "sinew" else "MuJoCo 2.2.2, ") + way, f"{v[0]} of {v[1]}", size(v[2]), size(v[3])]
            for (engine, way), v in most.items()]
    return ["", "runs that stand", "worst penetration", "worst drift of the root"], rows


def crowd_now(measured):
    first = measured["rows"][0]
    mine = [r for r in measured["rows"] if r["model"] == first["model"] and r["lanes"] == first["lanes"] and
            r["products"] == "midpoint" and not r.get("torque_limit")]
    peers = {}
    for r in measured["peers"]:
        if r["us"]:
            peers[r["scene"]] = min(r["us"], peers.get(r["scene"], r["us"]))
    rows, track = [], None
    for scene in dict.fromkeys(r["scene"] for r in mine):
        for count in dict.fromkeys(r["characters"] for r in mine if r["scene"] == scene):
            at = {}
            for r in mine:
                if (r["scene"], r["characters"]) == (scene, count):
                    at.setdefault(r["threads"], r["us"])
            one, most = at.get(1), max(at)
            if one is None:
                continue
            track = track or one
            rows.append([f"{scene}, {count:,} copies", short(one), short(at[most]) if most > 1 else "",
                         f"{one / at[most]:.2f}" if most > 1 else "", short(peers[scene]) if scene in peers else "",
                         f"{peers[scene] / one:.0f}" if scene in peers else "", f"{one / track:.2g}"])
    return ["microseconds per character-step", "one thread", "two threads", "gain", "MuJoCo", "times MuJoCo", "over track"], rows


def learn(measured):
    rows = [[r["net"]] + [short(r[k]) for k in ("simulation_us", "observation_us", "inference_us", "update_us")] +
            [f"{r['samples_per_s']:,.0f}", f"{r['with_threads']:,.0f}" if r["with_threads"] else "",
             f"{r['times']:.2f}" if r["times"] else ""] for r in measured["rows"]]
    return ["microseconds of one core per sample", "simulation", "observation, reward", "inference", "update",
            "samples per second", "on two threads", "gain"], rows


def engine_of(row):
    return ("Sinew " if row["engine"] == "sinew" else "MuJoCo ") + row["version"]


def protocol(measured):
    rows = [[r["scene"], engine_of(r), r["contacts"], r["lanes"], str(r["threads"]), short(r["us"]),
             f"{r['steps_per_s']:,.0f}"] for r in measured["rows"]]
    return ["scene", "engine", "contacts", "lanes", "threads", "microseconds per step", "steps per second"], rows


def protocol_exact(measured):
    both = lambda r, a, b: f"{short(r[a])}, {short(r[b])}" if r[a] is not None else ""
    rows = [[r["scene"], engine_of(r), r["contacts"], both(r, "quarter_rad", "quarter_mm"), both(r, "end_rad", "end_mm"),
             both(r, "fine_rad", "fine_mm"), both(r, "other_quarter_rad", "other_quarter_mm"),
             both(r, "depth_mm", "worst_depth_mm"), both(r, "fine_depth_mm", "fine_worst_depth_mm")]
            for r in measured["distances"]]
    return ["scene", "engine", "contacts", "off its converged run at 1/4 s: rad, mm", "at 1 s", "the converged run off a finer one at 1 s",
            "off the other's converged run at 1/4 s", "depth: mean, worst, mm", "depth of the converged run"], rows


def piles(measured):
    rows = [[r["engine"], str(r["dolls"]), f"1/{round(1 / r['dt'])}", short(r["ms"]), short(r["ms_awake"]), short(r["joint_mm"]),
             short(r["ground_mm"]), short(r["overlap_mm"])] for r in measured["rows"]]
    return ["engine", "ragdolls", "step, s", "milliseconds per step, mean", "the slowest second", "joints apart, mm, worst",
            "below the ground, mm, worst", "into each other, mm, worst"], rows


commands = {"spd": "sinew bench spd", "contact": "sinew bench contact", "contact_rows": "sinew bench contact --rows",
            "stability": "sinew bench contact --stability", "overhead": "sinew reproduce maba/overhead",
            "crowd_now": "sinew bench crowd", "learn": "sinew bench learn", "protocol": "sinew bench protocol",
            "protocol_exact": "sinew bench protocol", "piles": "node bench/piles.mjs"}


def machine_here():
    text = open("/proc/cpuinfo").read()
    names = re.findall(r"model name\s*: (.*)", text)
    wide = "AVX-512" if "avx512f" in text else "AVX2" if "avx2" in text else "no AVX2"
    return f"{names[0] if names else 'unknown'} with {wide}, {len(names)} cores"


def take(kind, file, version, machine=None):
    tables = json.loads(data.read_text())
    for one in [kind, "protocol_exact"] if kind == "protocol" else [kind]:
        columns, rows = globals()[one](json.load(open(file)))
        tables[one] = {"version": version, "machine": machine or machine_here(), "date": datetime.date.today().isoformat(),
                       "command": commands[one], "columns": columns, "rows": rows}
    store(tables)


def store(tables):
    text = json.dumps(tables, indent=1)
    text = re.sub(r"\[\n\s+([^][{}]*?)\n\s+\]", lambda m: "[" + re.sub(r"\n\s+", " ", m.group(1)) + "]", text)
    data.write_text(text + "\n")


def table_of(table):
    lines = ["| " + " | ".join(table["columns"]) + " |", "|" + "---|" * len(table["columns"])]
    lines += ["| " + " | ".join(row) + " |" for row in table["rows"]]
    if "note" in table:
        return "\n".join(lines) + f"\n\n*{table['note']}*"
    return "\n".join(lines) + \
        f"\n\n*Version {table['version']}, {table['machine']}, {table['date']}:\n`{table['command']}`.*"


def written():
    tables = json.loads(data.read_text())
    return re.sub(r"(<!-- table (\w+) -->\n).*?(<!-- end -->)",
                  lambda m: f"{m.group(1)}{table_of(tables[m.group(2)])}\n{m.group(3)}", page.read_text(), flags=re.S)


if sys.argv[1:2] == ["take"]:
    take(*sys.argv[2:])
    page.write_text(written())
elif sys.argv[1:] == ["check"]:
    if written() != page.read_text():
        sys.exit("tables: docs/benchmarks.md does not match docs/data/bench.json: run scripts/tables.py")
    print("tables: docs/benchmarks.md matches docs/data/bench.json")
else:
    page.write_text(written())
