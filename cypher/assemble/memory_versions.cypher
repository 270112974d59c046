// The line of succession a memory stands in, newest version first, itself included.
//
// What replaces it, at any distance, stands before it, and what it replaces behind. The shortest distance sits directly
// on the end node of the pattern, so a line of any length and shape is walked once. A deleted version keeps its place.
//
// mode    read
// rows    many
// param   scope_key   string   the namespace
// param   id          string   the memory
// param   agent_id    string   narrows to one agent, or null
// param   session_id  string   narrows to one session, or null
// param   most        integer  most versions
// column  version     map      the ref, status and createdAt of each

MATCH (m:Memory {scopeKey: $scope_key, id: $id})
CALL (m) {
  RETURN m AS v, 0 AS step
  UNION ALL
  MATCH p = (m)<-[:SUPERSEDES*1..1000000 {status: 'active'}]-(v:Memory)
  WITH v, min(length(p)) AS depth
  RETURN v, -depth AS step
  UNION ALL
  MATCH p = (m)-[:SUPERSEDES*1..1000000 {status: 'active'}]->(v:Memory)
  WITH v, min(length(p)) AS depth
  RETURN v, depth AS step
}
WITH v, min(step) AS step
WHERE ($agent_id IS NULL OR v.agentId = $agent_id) AND ($session_id IS NULL OR v.sessionId = $session_id)
WITH v, step
ORDER BY step, v.createdAt DESC, v.id
LIMIT $most
RETURN
  v { .id, .type, .tenantId, .namespaceId, .agentId, .sessionId, .status, createdAt: toString(v.createdAt) } AS version
