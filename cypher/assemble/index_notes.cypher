// A live note of a namespace, as the memory index needs it.
//
// The body comes with pinned notes only, and no longer than it can be shown. The order decides which notes are read
// when there are more than $most; the renderer sorts again. Uses the index note_scope.
//
// mode    read
// rows    many
// param   scope_key     string   the namespace
// param   tenant_id     string   compared with the stored one, in case two names ever share a key
// param   namespace_id  string   likewise
// param   agent_id      string   only what this agent wrote; null: all
// param   session_id    string   only what was written in this session; null: all
// param   body_chars    integer  most characters of a pinned body
// param   most          integer  most notes
// column  id          string   the note
// column  slug        string   or null
// column  title       string   else its caption
// column  topic       string   the name of its first topic, or null
// column  madeAt      integer  seconds since 1970; five thousand zoned times would take longer to decode than to find
// column  status      string   active or disputed
// column  stale       boolean  whether it waits for review
// column  body        string   of a pinned note, else null
// column  confidence  float    of a pinned note, as given
// column  author      string   of a pinned note, such as user:mara
// column  maker       string   of a pinned note: what produced it

MATCH (m:Memory {noteScope: $scope_key})
WHERE m.tenantId = $tenant_id AND m.namespaceId = $namespace_id
  AND ($agent_id IS NULL OR m.agentId = $agent_id)
  AND ($session_id IS NULL OR m.sessionId = $session_id)
OPTIONAL MATCH (m)-[:ABOUT {position: 0}]->(t:Topic)
WITH m, t, coalesce(m.pinned, false) AS pinned
ORDER BY pinned DESC, t.key, coalesce(m.slug, m.id), m.id
LIMIT $most
RETURN m.id AS id, m.slug AS slug, coalesce(m.title, m.caption) AS title, t.name AS topic,
  m.createdAt.epochSeconds AS madeAt, m.status AS status, coalesce(m.stale, false) AS stale,
  CASE WHEN pinned THEN left(coalesce(m.content, ''), $body_chars) END AS body,
  CASE WHEN pinned THEN m.confidence END AS confidence,
  CASE WHEN pinned THEN m.createdByKind + ':' + m.createdById END AS author,
  CASE WHEN pinned THEN m.producedBy END AS maker
