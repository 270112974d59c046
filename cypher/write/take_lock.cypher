// The number of this commit, with the namespace's write lock held until the transaction ends.
//
// Always the first statement of a write and nothing else: advancing seq takes the lock, so commits of one namespace
// are ordered. What the lock protects is read by later statements, since Cypher reads committed data and no snapshot.
//
// mode    write
// rows    one
// param   scope_key     string   the namespace
// param   tenant_id     string   in clear
// param   namespace_id  string   in clear
// column  seq           integer  the number of this commit

MERGE (n:Namespace {scopeKey: $scope_key})
ON CREATE SET n.tenantId = $tenant_id, n.namespaceId = $namespace_id, n.seq = 0, n.eventSeq = 0, n.firstEventSeq = 1,
  n.noteCount = 0, n.noteSeq = 0, n.createdAt = datetime()
SET n.seq = n.seq + 1
RETURN n.seq AS seq
