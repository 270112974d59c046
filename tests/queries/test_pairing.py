"""Every query file is called by name somewhere in its own layer, and every name that is called exists."""

import re
from pathlib import Path

from memgraph_svc.graph.catalogue import load

PACKAGE = Path(__file__).parents[2] / "memgraph_svc"
FOLDERS = "write|ingest|assemble|feed|graph|jobs|cascade|lifecycle|derive"
# Names put together from a fixed list in code: cypher/write/link_<type>.
BUILT = re.compile(r"^write/link_")


def test_files_and_calls_pair_both_ways() -> None:
    called: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        called.update(re.findall(rf'"((?:{FOLDERS})/[a-z0-9_]+)"', path.read_text()))
    files = {name for name, made in load().items() if made.mode != "schema"}
    assert called - files == set()
    assert {name for name in files - called if not BUILT.match(name)} == set()


def test_schema_files_are_numbered_without_gaps() -> None:
    numbers = [int(name.split("/")[1][:4]) for name, made in sorted(load().items()) if made.mode == "schema"]
    assert numbers == list(range(1, len(numbers) + 1))
