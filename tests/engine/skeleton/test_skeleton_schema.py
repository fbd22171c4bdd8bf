"""The JSON Schema that editors get."""

from __future__ import annotations

import json

from renderwright.engine.skeleton import skeleton_json_schema
from renderwright.render.formats import FORMATS
from renderwright.render.types.usages import Usage


def test_the_schema_knows_the_keys_and_the_words() -> None:
    schema = skeleton_json_schema()
    assert json.loads(json.dumps(schema)) == schema
    assert schema["title"] == "renderwright skeleton"
    assert schema["additionalProperties"] is False
    assert {"version", "nodes", "chains", "resolutions"} <= set(schema["properties"])
    definitions = schema["$defs"]
    assert {"create", "history", "gather", "chain"} <= set(definitions["NodeEntry"]["properties"])
    assert {"every", "phase", "when"} <= set(definitions["NodeEntry"]["properties"])
    assert definitions["Usage"]["enum"] == list(Usage)
    assert set(definitions["CreatedTexture"]["properties"]["texture"]["enum"]) == set(FORMATS)
    assert "usage" in definitions["CreatedTexture"]["required"]
    assert "usage" not in definitions["ExternalTexture"]["required"]
