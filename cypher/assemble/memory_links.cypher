// The living links of a memory, by direction: how many there are, and the newest of them.
//
// Named are those that the request may see: neither the link nor its other end is deleted or of another agent or session.
//
// mode    read
// rows    one
// param   scope_key   string        the namespace
// param   id          string        the memory
// param   agent_id    string        narrows to one agent, or null
// param   session_id  string        narrows to one session, or null
// param   most        integer       links named for each direction
// column  outgoing    list<string>  links that start at it, newest first
// column  leaving     integer       how many start at it
// column  incoming    list<string>  links that end at it, newest first
// column  arriving    integer       how many end at it

MATCH (m:Memory {scopeKey: $scope_key, id: $id})
WITH
  COLLECT {
    MATCH (m)-[r:DERIVED_FROM|SUPPORTS|CONTRADICTS|SUPERSEDES|MENTIONS|SAME_AS|CORRECTS|INVALIDATES|LINKED]->(o:Memory)
    WHERE r.status <> 'tombstoned' AND o.status <> 'tombstoned'
      AND ($agent_id IS NULL OR o.agentId = $agent_id AND r.agentId = $agent_id)
      AND ($session_id IS NULL OR o.sessionId = $session_id AND r.sessionId = $session_id)
    RETURN r.id
    ORDER BY r.createdAt DESC, r.id
  } AS outgoing,
  COLLECT {
    MATCH (m)<-[r:DERIVED_FROM|SUPPORTS|CONTRADICTS|SUPERSEDES|MENTIONS|SAME_AS|CORRECTS|INVALIDATES|LINKED]-(o:Memory)
    WHERE r.status <> 'tombstoned' AND o.status <> 'tombstoned'
      AND ($agent_id IS NULL OR o.agentId = $agent_id AND r.agentId = $agent_id)
      AND ($session_id IS NULL OR o.sessionId = $session_id AND r.sessionId = $session_id)
    RETURN r.id
    ORDER BY r.createdAt DESC, r.id
  } AS incoming
RETURN
  outgoing[..$most] AS outgoing, size(outgoing) AS leaving, incoming[..$most] AS incoming, size(incoming) AS arriving
