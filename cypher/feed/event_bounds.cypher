// The oldest event that is kept and the newest one; no row for a namespace that was never written to.
//
// mode    read
// rows    maybe
// param   scope_key      string   the namespace
// param   tenant_id      string   compared with the stored one
// param   namespace_id   string   likewise
// column  firstEventSeq  integer  the oldest kept
// column  eventSeq       integer  the newest

MATCH (n:Namespace {scopeKey: $scope_key, tenantId: $tenant_id, namespaceId: $namespace_id})
RETURN n.firstEventSeq AS firstEventSeq, n.eventSeq AS eventSeq
