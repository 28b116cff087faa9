"""Describe: what an operation takes, as JSON Schema, for doors that are built from it and for whoever calls one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, cast

import msgspec

from memd.operations.description import OperationAnswer
from memd.operations.registry import Operation


def describe(operation: Operation[Any, Any]) -> OperationAnswer:
    """Return the description of an operation, with all that its schema refers to in place."""
    schema = msgspec.json.schema(operation.params)
    definitions = schema.pop("$defs", {})
    reference = schema.get("$ref", "").rpartition("/")[2]
    parameters = _resolved(definitions.get(reference, schema), definitions)
    helps = {entry.name: entry.metadata.get("help") for entry in fields(cast("Any", operation.params))}
    properties = {
        name: {**prop, "description": helps[name]} if helps.get(name) else prop
        for name, prop in cast("dict[str, dict[str, object]]", parameters.get("properties", {})).items()
    }
    shape = {"type": "object", "properties": properties, "required": parameters.get("required", [])}
    return OperationAnswer(
        operation.name, operation.summary, operation.reads, operation.writes, operation.destroys, shape
    )


def _resolved(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """Return a schema with its references replaced by what they stand for, without titles."""
    if isinstance(schema, list):
        return [_resolved(item, definitions) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _resolved(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    kept = {name: value for name, value in schema.items() if name != "title" or isinstance(value, dict)}
    return {name: _resolved(value, definitions) for name, value in kept.items()}
