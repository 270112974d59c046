"""When a lost connection is worth another try."""

import time

import pytest
from neo4j.exceptions import ServiceUnavailable

from memgraph_svc.config import Settings
from memgraph_svc.errors.availability import Unavailable
from memgraph_svc.graph.client import Graph


def lose(tries: list[int], times: int, takes: float) -> None:
    tries.append(1)
    if len(tries) <= times:
        time.sleep(takes)
        raise ServiceUnavailable


@pytest.mark.parametrize(("times", "passes"), [(1, True), (2, False)])
def test_a_connection_silent_for_longer_than_the_deadline_is_replaced_once(times: int, passes: bool) -> None:
    graph, tries = Graph(Settings(neo4j_uri="bolt://127.0.0.1:1", retry_s=1)), list[int]()
    try:
        if passes:
            graph.chain(lambda _: lose(tries, times, 1.1))
        else:
            with pytest.raises(Unavailable):
                graph.chain(lambda _: lose(tries, times, 1.1))
    finally:
        graph.close()
    assert len(tries) == 2


def test_nothing_is_tried_again_when_that_is_switched_off() -> None:
    graph, tries = Graph(Settings(neo4j_uri="bolt://127.0.0.1:1", retry_s=0)), list[int]()
    with pytest.raises(Unavailable):
        graph.chain(lambda _: lose(tries, 1, 0))
    graph.close()
    assert len(tries) == 1
