// Nothing: of each memory only a tombstone is left.
//
// What stays is written out here and is the whole list: name, scope, author, times, keyed dedupe hash, the ids of its
// sources, and who removed it when, why and by which policy. Its passages and its history go; its links lose their
// metadata, and those that are neither provenance nor succession end with it. Topics without a living memory and
// sessions without a living episode go as well.
//
// mode    write
// rows    none
// param   scope_key  string     the namespace, its lock held
// param   rows       list<map>  {id, at, byId, byKind, reason, policy, receiptId, seq} for each memory

UNWIND $rows AS row
MATCH (m:Memory {scopeKey: $scope_key, id: row.id})
SET m = {
  id: m.id, type: m.type, scopeKey: m.scopeKey, tenantId: m.tenantId, namespaceId: m.namespaceId, agentId: m.agentId,
  sessionId: m.sessionId, createdAt: m.createdAt, createdById: m.createdById, createdByKind: m.createdByKind,
  seq: row.seq, dedupeHash: m.dedupeHash, status: 'tombstoned',
  sourceIds: COLLECT { MATCH (m)-[:DERIVED_FROM]->(s:Memory) RETURN DISTINCT s.id AS id ORDER BY id },
  tombstonedAt: datetime(row.at), tombstonedById: row.byId, tombstonedByKind: row.byKind,
  tombstoneReason: row.reason, tombstonePolicy: row.policy, receiptId: row.receiptId
}
REMOVE m:Disputed:Superseded:Stale
SET m:Tombstoned
WITH m, row
CALL (m) {
  MATCH (m)-[:HAS_PASSAGE|CHANGED]->(x:Passage|Change)
  DETACH DELETE x
}
CALL (m, row) {
  MATCH (m)-[r]-(:Memory)
  WHERE r.id IS NOT NULL
  SET r.metadataJson = null
  WITH r, row
  WHERE NOT r:DERIVED_FROM AND NOT r:SUPERSEDES AND r.status <> 'tombstoned'
  SET r.status = 'tombstoned', r.knownTo = datetime(row.at)
}
CALL (m) {
  MATCH (m)-[a:ABOUT]->(t:Topic)
  DELETE a
  WITH DISTINCT t
  WHERE NOT EXISTS { (t)<-[:ABOUT]-() }
  DELETE t
}
CALL (m) {
  MATCH (m)-[:IN_SESSION]->(s:Session)
  WHERE NOT EXISTS { (s)<-[:IN_SESSION]-(:Memory {status: 'active'}) }
  DETACH DELETE s
}
