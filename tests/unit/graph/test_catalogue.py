"""A query file whose head and body disagree is refused with its name and the reason."""

import pytest

from memgraph_svc.graph.catalogue import BadQuery, parse

GOOD = """// Rows of something.
//
// mode    read
// rows    many
// param   scope_key  string  the namespace
// column  id         string  each

MATCH (m:Memory {scopeKey: $scope_key}) // not a $parameter
WHERE m.caption <> '$neither'
RETURN m.id AS id
"""


def test_a_good_file_is_read() -> None:
    made = parse("x/y", GOOD)
    assert made.doc == "Rows of something."
    assert made.params["scope_key"].split() == ["string", "the", "namespace"]
    assert list(made.columns) == ["id"]
    assert made.text.startswith("MATCH")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("// Rows of something.\n", "//\n", "first sentence"),
        ("mode    read", "mode    often", "mode must be"),
        ("rows    many", "rows    few", "rows must be"),
        ("// column  id         string  each\n", "", "columns must be declared"),
        ("// param   scope_key  string  the namespace\n", "", "parameters"),
        ("RETURN m.id", "RETURN m.id + $other", "parameters"),
        ("RETURN m.id AS id", "SET m.x = 1 RETURN m.id AS id", "must not write"),
        ("MATCH (m:Memory {", "MATCH ()-[:X*]->(m:Memory {", "upper bound"),
        ("MATCH (m:Memory {", "MATCH ()-[:X*2..]->(m:Memory {", "upper bound"),
        ("MATCH (m:Memory {", "MATCH ()-[:X]->+(m:Memory {", "upper bound"),
        ("MATCH (m:Memory {", "MATCH ()-[:X]->{1,}(m:Memory {", "upper bound"),
        ("RETURN m.id AS id", "RETURN m.id AS id;", "semicolon"),
        ("// mode", "mode", "comment lines"),
    ],
)
def test_a_bad_file_is_refused(old: str, new: str, why: str) -> None:
    assert old in GOOD
    with pytest.raises(BadQuery, match="x/y") as refused:
        parse("x/y", GOOD.replace(old, new))
    assert why in str(refused.value)


def test_a_query_without_a_scope_must_say_why() -> None:
    text = "// One.\n//\n// mode    read\n// rows    one\n// column  n  integer  one\n\nRETURN 1 AS n"
    with pytest.raises(BadQuery, match="scope_key"):
        parse("x/y", text)
    assert parse("x/y", text.replace("// rows", "// unscoped because nothing is read\n// rows")).unscoped
