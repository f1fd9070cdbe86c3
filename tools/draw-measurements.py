#!/usr/bin/env python3
"""Speed tables and the chart of the README, drawn from bench/results.

Usage: draw-measurements.py [--check]

Writes docs/pictures/speedups.svg, the table between the lines `<!-- speed-table -->` and
`<!-- /speed-table -->` of README.md, and docs/measurements/README.md, all from the committed records. With
--check nothing is written: a difference is an error.
"""

import json
import math
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"
PICTURE = ROOT / "docs" / "pictures" / "speedups.svg"
TABLES = ROOT / "docs" / "measurements" / "README.md"
BEGIN, END = "<!-- speed-table -->\n", "<!-- /speed-table -->\n"

# What is compared: (what, against, file, ours, peers, filter). Ours and peers are beginnings of names;
# a ratio is the time of the fastest peer over that of our fastest, in one case of one run.
ROWS = [
    ("SpGEMM, 16 Xeon cores, sorted", "the better of GraphBLAS and Eigen, sorted results",
     "xeon-16-spgemm-peers", ("best",), ("graphblas/sorted", "eigen/"), {}),
    ("SpGEMM, 16 Xeon cores, any order", "the same, with GraphBLAS leaving rows unsorted",
     "xeon-16-spgemm-peers", ("best",), ("graphblas/", "eigen/"), {}),
    ("SpGEMM, H200", "the best algorithm of cuSPARSE",
     "h200-spgemm-once", ("best",), ("cusparse/",), {}),
    ("SpMV, 2 EPYC cores, CSR as given", "the best of six libraries",
     "epyc-2-spmv", ("best",), ("",), {"type": "f64", "threads": 2}),
    ("SpMV, 2 EPYC cores, plans for 1,000 calls", "the best of six libraries",
     "epyc-2-spmv-plans", ("best",), ("",), {"type": "f64", "threads": 2}),
    ("SpMV, 16 Xeon cores, CSR as given", "the better of GraphBLAS and Eigen",
     "xeon-16-spmv", ("best",), ("",), {}),
    ("SpMV, 16 Xeon cores, plans for 1,000 calls", "the better of GraphBLAS and Eigen",
     "xeon-16-spmv-plans", ("best",), ("",), {}),
    ("SpMV, H200, CSR as given", "the better CSR algorithm of cuSPARSE",
     "h200-spmv", ("spmv/csr/adaptive",), ("cusparse/csr",), {"type": "f64"}),
    ("SpMV, H200, plans for 1,000 calls", "the best algorithm and format of cuSPARSE",
     "h200-spmv", ("best",), ("cusparse/",), {"type": "f64"}),
    ("SpMV, H200, plans, 79 real matrices", "the best algorithm and format of cuSPARSE",
     "h200-spmv-real", ("best",), ("cusparse/",), {}),
    ("SpMM, one EPYC core, 12 real matrices", "the best of six libraries",
     "epyc-2-spmm-real", ("best",), ("",), {}),
    ("SpMM, 16 Xeon cores, six real matrices", "the best of Eigen, librsb and Kokkos Kernels (serial)",
     "xeon-16-spmm", ("best",), ("",), {}),
    ("SpMM, H200, float, 8 to 128 columns", "the best CSR algorithm of cuSPARSE",
     "h200-spmm", ("best",), ("cusparse/csr",), {}),
]


def cases_of(name):
    """The cases of a file of results: the case, and [(entrant, facts, median)] of whole products."""
    first, *lines = map(json.loads, (RESULTS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())
    found, carried = [], {}
    for line in lines:
        if isinstance(line, dict):
            carried = {**{key: carried[key] for key in ("matrix", "features") if key in carried}, **line}
            found.append((carried, []))
        else:
            facts = first["entrants"][line[0]]
            if facts["mode"] == "whole":
                found[-1][1].append((facts["contestant"], facts["kind"], line[6][0]))
    return first["context"], found


def ratios_of(row):
    """Time of the fastest peer over that of our fastest, for every case where both took part."""
    _, _, name, ours, peers, wanted = row
    ratios = []
    for case, records in cases_of(name)[1]:
        if any(case[key] != value for key, value in wanted.items()):
            continue
        mine = [t for who, kind, t in records if kind != "peer" and who.startswith(ours)]
        theirs = [t for who, kind, t in records if kind == "peer" and who.startswith(peers)]
        if mine and theirs:
            ratios.append(min(theirs) / min(mine))
    return sorted(ratios)


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def number(value):
    """As people write ratios: 0.98, 1.27, 2.8, 15."""
    return f"{value:.2f}" if value < 2 else f"{value:.1f}" if value < 10 else f"{value:.0f}"


def speed_table():
    lines = ["| what | against whom | typical | worst | best |", "| --- | --- | --- | --- | --- |"]
    for row in ROWS:
        ratios = ratios_of(row)
        lines.append(f"| {row[0]} | {row[1]} | **{number(geomean(ratios))}** | {number(ratios[0])} "
                     f"| {number(ratios[-1])} |")
    return "\n".join(lines) + "\n"


# ---- The chart: a line per comparison, its cases as dots, its geometric mean as a tick

WIDTH, LEFT, RIGHT, TOP, STEP = 900, 300, 64, 46, 27
LEAST, MOST = 0.7, 20
COLOURS = {"SpGEMM": "#b7791f", "SpMV": "#1f6fb2", "SpMM": "#2b8a57"}


def x_of(ratio):
    share = (math.log(ratio) - math.log(LEAST)) / (math.log(MOST) - math.log(LEAST))
    return LEFT + share * (WIDTH - LEFT - RIGHT)


def picture():
    height = TOP + STEP * len(ROWS) + 40
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
             'role="img" aria-label="Speed-ups of Gossamer over other libraries" '
             'font-family="system-ui, -apple-system, Segoe UI, Roboto, Arial, sans-serif" font-size="13">',
             f'<rect width="{WIDTH}" height="{height}" rx="10" fill="#ffffff"/>',
             '<text x="16" y="24" font-size="15" font-weight="600" fill="#1d2430">'
             "Times as fast as the fastest other library, case by case</text>"]
    bottom = TOP + STEP * len(ROWS)
    for tick in (1, 2, 3, 5, 10):
        stroke = "#1d2430" if tick == 1 else "#d5dae1"
        parts.append(f'<line x1="{x_of(tick):.1f}" y1="{TOP - 8}" x2="{x_of(tick):.1f}" y2="{bottom}" stroke="{stroke}"/>'
                     f'<text x="{x_of(tick):.1f}" y="{bottom + 18}" text-anchor="middle" fill="#5b6673">{tick}×</text>')
    for k, row in enumerate(ROWS):
        ratios, y = ratios_of(row), TOP + STEP * k + 8
        colour = COLOURS[row[0].split(",")[0]]
        parts.append(f'<text x="{LEFT - 14}" y="{y + 4.5}" text-anchor="end" fill="#1d2430">{row[0]}</text>')
        parts += [f'<circle cx="{x_of(min(MOST, max(LEAST, r))):.1f}" cy="{y}" r="3.6" fill="{colour}" fill-opacity="0.45"/>'
                  for r in ratios]
        middle = geomean(ratios)
        parts.append(f'<rect x="{x_of(middle) - 1.7:.1f}" y="{y - 9}" width="3.4" height="18" fill="#1d2430"/>'
                     f'<text x="{WIDTH - 14}" y="{y + 4.5}" text-anchor="end" font-weight="600" fill="#1d2430">'
                     f"{number(middle)}×</text>")
    return "\n".join([*parts, "</svg>"]) + "\n"


# ---- docs/measurements/README.md: a section for every file of results

def machine_of(context):
    devices = context.get("devices") or []
    host = f"{context['machine']['cpu']}, {context['machine']['cores']} cores"
    return devices[0]["name"] if devices else host


def section(name):
    context, cases = cases_of(name)
    groups = {}
    for case, records in cases:
        columns = f", {case['columns']} columns" if case["operation"] == "spmm" else ""
        key = f"{case['operation']}, {case['type']}, {case['threads']} threads{columns}"
        mine = [t for _, kind, t in records if kind == "choice"]
        theirs = [(t, who) for who, kind, t in records if kind == "peer"]
        regret = (case["choice"] or {}).get("regret")
        groups.setdefault(key, []).append((min(theirs)[0] / min(mine) if mine and theirs else None, regret))
    lines = [f"## {name}", "",
             f"{machine_of(context)}; {context['date'][:10]}, commit {str(context.get('commit'))[:10]}; plans for "
             f"{context['method'].get('expected_calls', 1):,} calls; peers: "
             + (", ".join(f"{p['title']} {p['version']}" for p in context["peers"]) or "none") + ".", "",
             "| cases | number | over the fastest peer: typical | worst | best | regret: typical | worst |",
             "| --- | --- | --- | --- | --- | --- | --- |"]
    for key, values in groups.items():
        ratios = sorted(r for r, _ in values if r is not None)
        regrets = sorted(r for _, r in values if r is not None)
        shown = [number(geomean(ratios)), number(ratios[0]), number(ratios[-1])] if ratios else ["–"] * 3
        shown += [number(geomean(regrets)), number(regrets[-1])] if regrets else ["–"] * 2
        lines.append(f"| {key} | {len(values)} | " + " | ".join(shown) + " |")
    return "\n".join(lines) + "\n"


def measurements():
    head = """# Measurements

Printed from `bench/results` by `tools/draw-measurements.py`; a test compares. Ratios are the time of the fastest peer over that of
Gossamer's choice in the same case of the same run: more than 1 means Gossamer is faster. *Typical* is the geometric mean. *Regret* is the
time of the chosen kernel over that of our fastest, preparation shared by the expected calls. [Benchmarks](../guide/benchmarking.md) says
how it was measured; `gossamer explore bench/results/*.jsonl` shows every single case.

"""
    return head + "\n".join(section(file.stem) for file in sorted(RESULTS.glob("*.jsonl")))


def with_table(readme):
    before, _, rest = readme.partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        raise SystemExit(f"README.md has no lines {BEGIN.strip()} and {END.strip()}")
    return before + BEGIN + speed_table() + END + after


def main():
    readme = ROOT / "README.md"
    wanted = {PICTURE: picture(), TABLES: measurements(), readme: with_table(readme.read_text(encoding="utf-8"))}
    different = [file for file, text in wanted.items()
                 if not file.exists() or file.read_text(encoding="utf-8") != text]
    if sys.argv[1:] == ["--check"]:
        for file in different:
            print(f"{file.relative_to(ROOT)} is not what bench/results say; run tools/draw-measurements.py")
        return 1 if different else 0
    for file in different:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(wanted[file], encoding="utf-8")
        print(f"wrote {file.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
