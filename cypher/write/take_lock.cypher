// Nothing: the namespace exists, and its write lock is held until the transaction ends.
//
// Always the first statement of a write and nothing else, so that commits of one namespace are ordered. What the lock
// protects is read by later statements, since Cypher reads committed data and no snapshot. The value written must not
// depend on the node: a SET that reads what it writes takes the node's locks in another order, and two such writers
// deadlock (docs/decisions/0013).
//
// mode    write
// rows    none
// param   scope_key     string   the namespace
// param   tenant_id     string   in clear
// param   namespace_id  string   in clear
// param   lane          string   the write lane that takes it

MERGE (n:Namespace {scopeKey: $scope_key})
ON CREATE SET n.tenantId = $tenant_id, n.namespaceId = $namespace_id, n.seq = 0, n.eventSeq = 0, n.firstEventSeq = 1,
  n.noteCount = 0, n.noteSeq = 0, n.createdAt = datetime()
SET n.lane = $lane
