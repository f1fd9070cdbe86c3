"""Files of results (bench/schema/results.schema.json) for tests: the lines as one document, and back."""

import json
from pathlib import Path

SCHEMA = Path(__file__).parents[2] / "bench" / "schema" / "results.schema.json"
CARRIED = ("matrix", "features")  # a case without them has those of the case before


def load(text):
    """The first line as it is, with `cases`: each line of a case with `records`, a dict per line."""
    lines = [json.loads(line) for line in text.splitlines()]
    document = {**lines[0], "cases": []}
    for line in lines[1:]:
        if isinstance(line, dict):
            before = document["cases"][-1] if document["cases"] else {}
            line = {**{key: before[key] for key in CARRIED if key in before}, **line}
            document["cases"].append({**line, "records": []})
        else:
            document["cases"][-1]["records"].append(dict(zip(document["fields"], line)))
    return document


def dump(document):
    lines = [{key: value for key, value in document.items() if key != "cases"}]
    for case in document["cases"]:
        lines.append({key: value for key, value in case.items() if key != "records"})
        for record in case["records"]:
            lines.append([record[field] for field in document["fields"] if field in record])
    return "".join(json.dumps(line) + "\n" for line in lines)


def problems(text):
    """What the schema says against each line; None when python3-jsonschema is not installed."""
    try:
        import jsonschema
    except ImportError:
        return None
    schema = json.loads(SCHEMA.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    return [f"line {number}: {list(e.path)}: {e.message}"
            for number, line in enumerate(text.splitlines(), 1)
            for e in validator.iter_errors(json.loads(line))]
