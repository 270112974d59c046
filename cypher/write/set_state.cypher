// Nothing: memories have a new state, mirrored in their labels, passages and history.
//
// The whole state is written: what the row leaves out is removed, since Neo4j keeps no null properties.
//
// mode    write
// rows    none
// param   scope_key  string     the namespace, its lock held
// param   rows       list<map>  {id, set, labels, visibility, change, live} for each memory

UNWIND $rows AS row
MATCH (m:Memory {scopeKey: $scope_key, id: row.id})
SET m.status = row.set.status, m.stale = row.set.stale, m.staleReason = row.set.staleReason,
  m.standing = row.set.standing, m.replaced = row.set.replaced, m.pinned = row.set.pinned,
  m.validTo = datetime(row.set.validTo), m.lastVerifiedAt = datetime(row.set.lastVerifiedAt),
  m.statedAt = datetime(row.set.statedAt), m.updatedAt = datetime(row.set.updatedAt)
// A note that is no longer live leaves its slug, its group and the index.
SET m.liveGroupKey = CASE WHEN row.live THEN m.liveGroupKey END
SET m.liveSlugKey = CASE WHEN row.live THEN m.liveSlugKey END, m.noteScope = CASE WHEN row.live THEN m.noteScope END
CREATE (m)-[:CHANGED]->(c:Change)
SET c = row.change, c.scopeKey = $scope_key, c.at = datetime(row.change.at), c.validTo = datetime(row.change.validTo)
REMOVE m:Disputed:Superseded:Stale:Tombstoned
SET m:$(row.labels)
WITH m, row
MATCH (m)-[:HAS_PASSAGE]->(p:Passage)
SET p.visibility = row.visibility
