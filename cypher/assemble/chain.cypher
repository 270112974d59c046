// Everything the given memories rest on, at any depth to 64, once each, with its distance.
//
// The shortest distance sits directly on the end node of the pattern, so the walk visits each memory once however many
// ways lead to it, and a circle ends. Expected plan: VarLengthExpand(Pruning,BFS).
//
// mode    read
// rows    many
// param   scope_key  string        the walk never leaves this namespace
// param   ids        list<string>  where it starts
// param   most       integer       memories named for each start, nearest first
// column  id         string        the start
// column  reached    list<map>     {ref, depth}, nearest first
// column  total      integer       how many there are

UNWIND $ids AS id
CALL (id) {
  MATCH p = (m:Memory {scopeKey: $scope_key, id: id})-[:DERIVED_FROM*1..64 {status: 'active'}]->(s:Memory)
  WITH s, min(length(p)) AS depth
  ORDER BY depth, s.id
  RETURN
    collect({ref: s { .id, .type, .tenantId, .namespaceId, .agentId, .sessionId }, depth: depth}) AS reached
}
RETURN id, reached[..$most] AS reached, size(reached) AS total
