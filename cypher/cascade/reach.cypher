// Everything made from the given memories, each once, with its shortest distance; at most $bound steps away.
//
// The distance sits directly on the end node of the pattern, so the walk visits a memory once however many ways lead to
// it, and a circle ends: with more ways than atoms in a body it still costs what its memories cost. Expected plan:
// VarLengthExpand(Pruning,BFS). The walk passes through memory that was deleted before, since what lies behind it may
// still rest on the start.
//
// mode    read
// rows    many
// param   scope_key  string        the walk never leaves this namespace
// param   ids        list<string>  where it starts
// slot    bound      1..65         most steps; Cypher takes no parameter in this place
// column  memory     map           its state
// column  depth      integer       its distance from the nearest start

MATCH p = (s:Memory)<-[:DERIVED_FROM*1..{bound} {status: 'active'}]-(m:Memory)
WHERE s.scopeKey = $scope_key AND s.id IN $ids AND m.scopeKey = $scope_key
WITH m, min(length(p)) AS depth
RETURN
  m {
    .id, .type, .tenantId, .namespaceId, .agentId, .sessionId, .status, .stale, .staleReason, .replaced, .pinned,
    .groupKey, validFrom: toString(m.validFrom), validTo: toString(m.validTo), lastVerifiedAt: toString(m.lastVerifiedAt),
    statedAt: toString(m.statedAt), live: m.noteScope IS NOT NULL
  } AS memory,
  depth
ORDER BY depth, m.id
