// The notes that rest on an episode, first made first.
//
// mode    read
// rows    many
// param   scope_key  string  the namespace
// param   id         string  the episode
// column  memory     map     the note

MATCH (a:Atom)-[:DERIVED_FROM]->(:Memory {scopeKey: $scope_key, id: $id})
WHERE a.scopeKey = $scope_key
RETURN a {.id, .type, .tenantId, .namespaceId, .agentId, .sessionId, .slug, .title} AS memory
ORDER BY a.createdAt, a.id
