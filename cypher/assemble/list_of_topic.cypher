// A page of the memories that are about a topic.
//
// It starts at the topic and costs as much as there is about it. Index: topic_key.
//
// mode    read
// rows    many
// param   scope_key   string         the namespace
// param   topic       string         the key of the topic
// param   session     string         narrows to the episodes of one session, or null
// param   newest      boolean        newest first, else oldest first
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

MATCH (:Topic {scopeKey: $scope_key, key: $topic})<-[:ABOUT]-(m:Memory)
WHERE m.createdAt >= datetime($low_at) AND m.createdAt <= datetime($high_at)
  AND CASE WHEN m.createdAt = datetime($low_at) THEN m.id > $low_id ELSE true END
  AND CASE WHEN m.createdAt = datetime($high_at) THEN m.id < $high_id ELSE true END
  AND m.status IN $statuses AND m.type IN $kinds
  AND coalesce(m.stale, false) IN $stale AND coalesce(m.pinned, false) IN $pinned
  AND ($slug IS NULL OR m.slug = $slug)
  AND ($agent_id IS NULL OR m.agentId = $agent_id)
  AND ($session_id IS NULL OR m.sessionId = $session_id)
  AND ($session IS NULL OR EXISTS { (m)-[:IN_SESSION]->(:Session {scopeKey: $scope_key, sessionId: $session}) })
WITH m
// Both orders in one: the keys of the other order are all null and decide nothing.
ORDER BY
  CASE WHEN NOT $newest THEN m.createdAt END, CASE WHEN NOT $newest THEN m.id END, m.createdAt DESC, m.id DESC
LIMIT $most
RETURN m.id AS id
