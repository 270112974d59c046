// Episodes that no closed consolidation of the scope covers, with their place in time; no text.
//
// mode    read
// rows    many
// param   scope_key   string   the namespace
// param   agent_id    string   only what this agent wrote; null: all
// param   session_id  string   only what was written in this session; null: all
// param   base_key    string   the line of consolidations of one scope and filter
// param   after       string   only those stored at or after that time; null: from the first on
// param   before      string   only those stored before that time; null: to the last
// column  id          string   the episode
// column  at          integer  when it was stored, in microseconds since 1970; strictly rising within a namespace
// column  grouping    string   its session, or an empty text

MATCH (e:Memory {scopeKey: $scope_key})
WHERE e.createdAt >= coalesce(datetime($after), datetime({epochSeconds: 0}))
  AND e:Episode AND e.status = 'active' AND e.standing IS NULL
  AND ($before IS NULL OR e.createdAt < datetime($before))
  AND ($agent_id IS NULL OR e.agentId = $agent_id) AND ($session_id IS NULL OR e.sessionId = $session_id)
  AND NOT EXISTS {
    MATCH (e)<-[:DERIVED_FROM {status: 'active'}]-(c:Consolidation {baseKey: $base_key})
    WHERE c.liveGroupKey IS NOT NULL AND c.closed AND c.stale IS NULL
  }
OPTIONAL MATCH (e)-[:IN_SESSION]->(s:Session)
RETURN e.id AS id, e.createdAt.epochSeconds * 1000000 + e.createdAt.microsecond AS at, coalesce(s.sessionId, '') AS grouping
ORDER BY at, id
