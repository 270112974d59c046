// A living link of one type from one memory to another.
//
// mode    read
// rows    maybe
// param   scope_key  string  the namespace
// param   kind       string  the relationship type
// param   link_type  string  the type beyond the core eight, or null
// param   from_id    string  where it starts
// param   to_id      string  where it ends
// column  link       map     what is stored of it

MATCH (:Memory {scopeKey: $scope_key, id: $from_id})-[r]->(:Memory {scopeKey: $scope_key, id: $to_id})
WHERE type(r) = $kind AND r.status = 'active' AND ($link_type IS NULL OR r.linkType = $link_type)
RETURN r { .id, .createdById, .createdByKind, .agentId, .sessionId, .metadataJson, createdAt: toString(r.createdAt) } AS link
LIMIT 1
