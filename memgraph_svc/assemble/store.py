"""The reads of ``cypher/assemble``, as typed calls.

In: a scope and what is asked. Out: memories, links and candidates as plain values. Each method is one query of the same
name. Which of them a caller may see beyond tenant and namespace is decided by the services.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from memgraph_svc.assemble.stored import Candidate, Chain, Lag, StoredLink, StoredMemory, Times
from memgraph_svc.graph import records
from memgraph_svc.graph.catalogue import query
from memgraph_svc.graph.client import Graph, Row, vector
from memgraph_svc.graph.consistent import Reader, consistently
from memgraph_svc.model.memory import Actor, Kind, Ref, Status
from memgraph_svc.model.scope import Scope

T = TypeVar("T")
_ANY = ("", "\uffff")  # the range of all tokens
_KINDS = [kind.value for kind in Kind if kind is not Kind.LINK]
_OWN = (
    "contentType", "dedupeKey", "atomType", "title", "slug", "pinned", "producedBy", "transformation",
)  # fmt: skip


class Store:
    """Reads of one database, each statement by itself or all inside one consistent read."""

    def __init__(self, graph: Graph, run: Reader | None = None) -> None:
        self._graph = graph
        self._run: Reader = run or graph.read

    def consistently(self, scope: Scope, read: Callable[[Store], T]) -> T:
        """Run ``read`` with a store whose statements all see one state of the namespace."""
        return consistently(self._graph, scope.key, lambda run: read(Store(self._graph, run)))[0]

    def search_passages(self, scope: Scope, lucene: str, fetch: int, *, filtered: bool) -> list[Candidate]:
        """The best passages for a query; raises ``TooManyWords`` when the index finds it too long."""
        return self._search("assemble/search_passages", scope, lucene, fetch=fetch, filtered=filtered)

    def scan_passages(self, scope: Scope, lucene: str) -> list[Candidate]:
        """Every passage for a query, without text; raises ``TooManyWords`` when the index finds it too long."""
        return self._search("assemble/scan_passages", scope, lucene)

    def search_vectors(
        self,
        scope: Scope,
        near: Sequence[float],
        floor: float,
        fetch: int,
        *,
        states: Sequence[str],
        kinds: Sequence[str] = (),
        filtered: bool = False,
    ) -> list[Candidate]:
        """The passages nearest to a vector, best first and without text; their score is the cosine."""
        whole = scope.agent_id is None and scope.session_id is None
        (row,) = self._run(
            query("assemble/search_vectors" if whole else "assemble/search_vectors_within"),
            scope_key=scope.key,
            tenant_id=scope.tenant_id,
            namespace_id=scope.namespace_id,
            vector=vector(near),
            floor=floor,
            fetch=fetch,
            filtered=filtered,
            states=list(states),
            kinds=list(kinds) or _KINDS,
            **({} if whole else _tokens(scope)),
        )
        return [_candidate(scope, each) for each in row["found"]]

    def passage_texts(self, scope: Scope, wanted: Sequence[tuple[str, int]]) -> dict[tuple[str, int], str]:
        """The texts of passages, by memory id and position."""
        asked = [{"id": memory_id, "position": position} for memory_id, position in wanted]
        rows = self._run(query("assemble/passage_texts"), scope_key=scope.key, wanted=asked)
        return {(row["id"], row["position"]): row["text"] for row in rows}

    def memories_by_id(self, scope: Scope, ids: Sequence[str]) -> dict[str, StoredMemory]:
        """Living memories of the tenant and namespace, by id."""
        rows = self._run(query("assemble/memories_by_id"), scope_key=scope.key, ids=list(ids)) if ids else []
        made = [_memory(row) for row in rows if _same_space(scope, row["memory"])]
        return {memory.ref.id: memory for memory in made}

    def contents_by_id(self, scope: Scope, ids: Sequence[str]) -> dict[str, Any]:
        """The contents of living memories, by id."""
        (row,) = self._run(query("assemble/contents_by_id"), scope_key=scope.key, ids=list(ids))
        return {
            memory_id: records.content_of({"content": content, "contentIsJson": is_json})
            for memory_id, content, is_json in row["found"]
        }

    def links_by_id(self, scope: Scope, ids: Sequence[str]) -> dict[str, StoredLink]:
        """Living links of the tenant and namespace, by id."""
        rows = self._run(query("assemble/links_by_id"), scope_key=scope.key, ids=list(ids)) if ids else []
        made = [_link(row) for row in rows if _same_space(scope, row["source"])]
        return {link.ref.id: link for link in made}

    def chain(self, scope: Scope, ids: Sequence[str], most: int) -> dict[str, Chain]:
        """Everything each memory rests on, nearest first, at most ``most`` of it."""
        rows = self._run(query("assemble/chain"), scope_key=scope.key, ids=list(ids), most=most) if ids else []
        return {row["id"]: _chain(row) for row in rows}

    def index_lag(self, scope: Scope, up_to: int | None = None) -> Lag:
        """How far the vectors are behind the commit ``up_to``, or behind the latest one."""
        (row,) = self._run(query("assemble/index_lag"), scope_key=scope.key, up_to=up_to)
        return Lag(row["head"], row["waiting"], row["failed"])

    def _search(self, name: str, scope: Scope, lucene: str, **more: Any) -> list[Candidate]:
        try:
            (row,) = self._run(
                query(name),
                scope_key=scope.key,
                tenant_id=scope.tenant_id,
                namespace_id=scope.namespace_id,
                lucene=lucene,
                **more,
            )
        except Exception as fault:
            if "maxClauseCount" in str(fault.__cause__):
                raise TooManyWords from fault
            raise
        return [_candidate(scope, each) for each in row["found"]]


class TooManyWords(Exception):
    """The index makes more clauses of the query than it allows."""


def _tokens(scope: Scope) -> dict[str, str]:
    agent = _ANY if scope.agent_id is None else (scope.agent_token, scope.agent_token)
    session = _ANY if scope.session_id is None else (scope.session_token, scope.session_token)
    return {"agent_low": agent[0], "agent_high": agent[1], "session_low": session[0], "session_high": session[1]}


def _same_space(scope: Scope, row: Mapping[str, Any]) -> bool:
    # The scope key is a digest; the names themselves are compared as well.
    return row["tenantId"] == scope.tenant_id and row["namespaceId"] == scope.namespace_id


def _candidate(scope: Scope, found: list[Any]) -> Candidate:
    memory_id, kind, agent, session, status, stale, why, confidence, tokens, position, score, text, more = found
    return Candidate(
        ref=Ref(memory_id, Kind(kind), Scope(scope.tenant_id, scope.namespace_id, agent, session)),
        status=Status(status),
        stale=bool(stale),
        stale_reason=why,
        token_count=tokens or 0,
        text=text,
        position=position,
        score=score,
        confidence=confidence,
        times=None if more is None else _times(more),
        metadata=None if more is None else records.metadata_of(more),
    )


def _times(row: Mapping[str, Any]) -> Times:
    created = records.instant(row["createdAt"])
    assert created is not None, "every memory has a time of storing"  # noqa: S101
    return Times(
        created_at=created,
        occurred_at=records.instant(row.get("occurredAt")),
        valid_from=records.instant(row.get("validFrom")),
        valid_to=records.instant(row.get("validTo")),
    )


def _memory(row: Row) -> StoredMemory:
    kept = row["memory"]
    own = {name: kept[name] for name in _OWN if kept.get(name) is not None}
    for name in ("producedAt", "validFrom", "validTo", "lastVerifiedAt"):
        if kept.get(name) is not None:
            own[name] = records.stamp(kept[name])
    return StoredMemory(
        ref=records.ref_of(kept),
        status=Status(kept["status"]),
        stale=bool(kept.get("stale")),
        stale_reason=kept.get("staleReason"),
        times=_times(kept),
        created_at=records.stamp(kept["createdAt"]) or "",
        updated_at=records.stamp(kept.get("updatedAt")),
        occurred_at=records.stamp(kept.get("occurredAt")),
        created_by=Actor(kept["createdById"], kept["createdByKind"]),
        content=records.content_of(kept),
        metadata=records.metadata_of(kept),
        confidence=kept.get("confidence"),
        own=own,
        sources=tuple(records.ref_of(each) for each in row["sources"]),
        supersedes=tuple(records.ref_of(each) for each in row["supersedes"]),
        topics=tuple(row["topics"]),
        source_gone=row["sourceGone"],
        disputed_claims=row["disputedClaims"],
        superseded_claims=row["supersededClaims"],
    )


def _chain(row: Row) -> Chain:
    return Chain(tuple((records.ref_of(step["ref"]), step["depth"]) for step in row["reached"]), row["total"])


def _link(row: Row) -> StoredLink:
    kept, source, target = row["link"], records.ref_of(row["source"]), records.ref_of(row["target"])
    scope = Scope(source.scope.tenant_id, source.scope.namespace_id, kept.get("agentId"), kept.get("sessionId"))
    return StoredLink(
        ref=Ref(kept["id"], Kind.LINK, scope),
        link_type=kept.get("linkType") or row["kind"].lower(),
        status=kept["status"],
        created_at=records.stamp(kept["createdAt"]) or "",
        created_by=Actor(kept["createdById"], kept["createdByKind"]),
        source=source,
        target=target,
        metadata=records.metadata_of(kept),
    )
