// The state of the given memories, deleted ones as well.
//
// mode    read
// rows    many
// param   scope_key  string        the namespace
// param   ids        list<string>  what is asked for
// column  memory     map           its state

UNWIND $ids AS id
MATCH (m:Memory {scopeKey: $scope_key, id: id})
RETURN
  m {
    .id, .type, .tenantId, .namespaceId, .agentId, .sessionId, .status, .stale, .staleReason, .replaced, .pinned,
    .groupKey, .liveSlugKey, validFrom: toString(m.validFrom), validTo: toString(m.validTo),
    lastVerifiedAt: toString(m.lastVerifiedAt), statedAt: toString(m.statedAt), live: m.noteScope IS NOT NULL,
    sources: COUNT { (m)-[:DERIVED_FROM {status: 'active'}]->() }
  } AS memory
