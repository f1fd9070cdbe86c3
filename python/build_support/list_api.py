"""Prints docs/reference/python.md from the docstrings of the package; a test compares.

    PYTHONPATH=build/release/python python3 python/build_support/list_api.py > docs/reference/python.md
"""

from __future__ import annotations

import inspect
import textwrap
from typing import Any

import gossamer as gs

HEAD = """# The Python package, by name

Printed from the docstrings by `python/build_support/list_api.py`; a test compares. `help(gs.matmul)` shows the same. The
[guide](../guide/python.md) says what belongs together.
"""


def signature(name: str, thing: Any) -> str:
    """The call without types: what people type."""
    try:
        found = inspect.signature(thing)
    except ValueError:  # of a class of the module
        return name
    parameters = []
    for p in found.parameters.values():
        if p.name != "self":
            parameters.append(p.replace(annotation=inspect.Parameter.empty))
    return f"{name}{inspect.Signature(parameters)}"


def entry(name: str, thing: Any, depth: str = "##") -> str:
    text = inspect.cleandoc(thing.__doc__ or "")
    summary, _, rest = text.partition("\n\n")
    lines = [f"{depth} {name}", "", f"`{signature(name, thing)}`", "", " ".join(summary.split())]
    if rest:
        lines += ["", "```text", rest, "```"]
    return "\n".join(lines) + "\n"


def methods(thing: type) -> list[str]:
    found = []
    for name, member in sorted(vars(thing).items()):
        if not name.startswith("_") and getattr(member, "__doc__", None):
            if isinstance(member, property):
                found.append(f"- `{name}`: {' '.join((member.__doc__ or '').split())}")
            elif callable(member):
                first = inspect.cleandoc(member.__doc__).partition("\n\n")[0]
                found.append(f"- `{signature(name, member)}`: {' '.join(first.split())}")
    return found


def page() -> str:
    parts = [HEAD]
    things = [(name, getattr(gs, name)) for name in gs.__all__]
    things += [("amg.Hierarchy", gs.amg.Hierarchy)]
    for name, thing in sorted(things):
        if inspect.ismodule(thing) or thing.__module__ == "gossamer._core":
            continue
        parts.append(entry(f"gs.{name}", thing))
        if inspect.isclass(thing) and not issubclass(thing, tuple) and (members := methods(thing)):
            parts.append("\n".join(members) + "\n")
    parts.append("## gs.generate\n\n" + "\n".join(
        f"- `gs.generate.{name}`: {textwrap.shorten((getattr(gs.generate, name).__doc__ or '').partition(chr(10))[0], 200)}"
        for name in gs.generate.__all__) + "\n")  # fmt: skip
    return "\n".join(parts)


if __name__ == "__main__":
    print(page(), end="")
