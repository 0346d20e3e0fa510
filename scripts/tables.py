#!/usr/bin/env python3
"""Writes the tables of docs/benchmarks.md from docs/data/bench.json, between marks such as <!-- table spd --> and <!-- end -->.

usage: tables.py            write the tables
       tables.py check      fail if a table does not match the data
       tables.py take KIND FILE.json VERSION [MACHINE]
                            put a measurement into the data. KIND: spd, contact, contact_rows, stability or overhead, as printed
                            with --json by `sinew bench spd`, `bench contact`, `bench contact --rows`,
                            `bench contact --stability` and `reproduce maba/overhead`
`make figures` measures and takes all of them.
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


def take(kind, file, version, machine=None):
    command = {"spd": "sinew bench spd", "contact": "sinew bench contact", "contact_rows": "sinew bench contact --rows",
               "stability": "sinew bench contact --stability", "overhead": "sinew reproduce maba/overhead"}[kind]
    if machine is None:
        names = re.findall(r"model name\s*: (.*)", open("/proc/cpuinfo").read())
        machine = f"{names[0] if names else 'unknown'}, {len(names)} cores"
    columns, rows = globals()[kind](json.load(open(file)))
    tables = json.loads(data.read_text())
    tables[kind] = {"version": version, "machine": machine, "date": datetime.date.today().isoformat(), "command": command,
                    "columns": columns, "rows": rows}
    store(tables)


def store(tables):
    text = json.dumps(tables, indent=1)
    text = re.sub(r"\[\n\s+([^][{}]*?)\n\s+\]", lambda m: "[" + re.sub(r"\n\s+", " ", m.group(1)) + "]", text)
    data.write_text(text + "\n")


def table_of(table):
    lines = ["| " + " | ".join(table["columns"]) + " |", "|" + "---|" * len(table["columns"])]
    lines += ["| " + " | ".join(row) + " |" for row in table["rows"]]
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
