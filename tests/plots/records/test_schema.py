"""Invented and published records follow the schema."""

import json

import pytest
import synthetic_records as synthetic
from planted_records import PUBLISHED, ROOT


def test_invented_and_published_records_are_true_to_the_schema():
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((ROOT / "configs" / "schemas" / "record.schema.json").read_text())
    check = jsonschema.Draft202012Validator(schema)
    lines = [json.loads(line) for file in PUBLISHED for line in file.read_text().splitlines()]
    for record in [*synthetic.everything((16,)), *lines]:
        check.validate(record)
