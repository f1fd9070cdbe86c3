"""Facts as values: text for people, dictionaries for programs, tables in notebooks."""

from __future__ import annotations

import html
import json
from typing import Any, Iterator


class Report:
    """Facts about matrices and products: ``print(report)``, ``report["nnz"]``, ``report.to_dict()``."""

    def __init__(self, text: str, facts: str) -> None:
        self.text = text.rstrip("\n")
        self._facts: dict[str, Any] = json.loads(facts)

    def to_dict(self) -> dict[str, Any]:
        """All facts."""
        return self._facts

    def __getitem__(self, name: str) -> Any:
        return self._facts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def keys(self) -> Any:
        """Names of the facts."""
        return self._facts.keys()

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.text)}</pre>"


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


class Explanation(Report):
    """Why a kernel was chosen, with the verdicts of all kernels."""

    @property
    def chosen(self) -> str:
        """The id of the chosen kernel."""
        return str(self["chosen"])

    def _repr_html_(self) -> str:
        escape = html.escape
        rows = []
        for entry in self["considered"]:
            good = entry["possible"]
            times = (_time(entry["prepare_seconds"]), _time(entry["run_seconds"])) if good else ("", "")
            cells = [entry["kernel"], *times, entry["because"]]
            if entry["kernel"] == self.chosen:
                style = ' style="font-weight: bold"'
            else:
                style = "" if good else ' style="color: gray"'
            rows.append(f"<tr{style}>" + "".join(f"<td>{escape(c)}</td>" for c in cells) + "</tr>")
        head = "".join(f"<th>{h}</th>" for h in ("kernel", "prepare", "run", "because"))
        return (
            f"<p>{escape(self['problem'])}</p><p><b>{escape(self.chosen)}</b>: {escape(self['because'])}</p>"
            f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        )
