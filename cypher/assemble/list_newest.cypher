// A page of the memories of a namespace, newest first.
//
// Index: memory_list, in its order, so that a page costs its own length unless a filter leaves most out. A CASE and no OR:
// that would be read as two ranges, each whole and without its order.
//
// mode    read
// rows    many
// param   scope_key   string         the namespace
// param   low_at      string         the position behind which it begins: a time
// param   low_id      string         and the id of a memory of that time; '' stands before all of them
// param   high_at     string         the position before which it ends
// param   high_id     string         likewise
// param   statuses    list<string>   the wanted states
// param   kinds       list<string>   the wanted kinds
// param   stale       list<boolean>  the wanted marks of staleness
// param   pinned      list<boolean>  the wanted pins
// param   slug        string         narrows to one slug, or null
// param   agent_id    string         narrows to one agent, or null
// param   session_id  string         narrows to one session of the scope, or null
// param   most        integer        the length of the page
// column  id          string         a memory

MATCH (m:Memory {scopeKey: $scope_key})
WHERE m.createdAt >= datetime($low_at) AND m.createdAt <= datetime($high_at)
  AND CASE WHEN m.createdAt = datetime($low_at) THEN m.id > $low_id ELSE true END
  AND CASE WHEN m.createdAt = datetime($high_at) THEN m.id < $high_id ELSE true END
  AND m.status IN $statuses AND m.type IN $kinds
  AND coalesce(m.stale, false) IN $stale AND coalesce(m.pinned, false) IN $pinned
  AND ($slug IS NULL OR m.slug = $slug)
  AND ($agent_id IS NULL OR m.agentId = $agent_id)
  AND ($session_id IS NULL OR m.sessionId = $session_id)
WITH m
ORDER BY m.scopeKey DESC, m.createdAt DESC, m.id DESC
LIMIT $most
RETURN m.id AS id
