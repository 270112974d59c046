// Nothing: memories have a new state, mirrored in their labels, passages and history.
//
// mode    write
// rows    none
// param   scope_key  string     the namespace, its lock held
// param   rows       list<map>  {id, set, labels, visibility, change, live} for each memory

UNWIND $rows AS row
MATCH (m:Memory {scopeKey: $scope_key, id: row.id})
SET m += row.set, m.updatedAt = datetime(row.set.updatedAt), m.validTo = coalesce(datetime(row.set.validTo), m.validTo)
// A note that is no longer live leaves its slug and the index; Neo4j keeps no null properties.
SET m.liveSlugKey = CASE WHEN row.live THEN m.liveSlugKey END, m.noteScope = CASE WHEN row.live THEN m.noteScope END
CREATE (m)-[:CHANGED]->(c:Change)
SET c = row.change, c.scopeKey = $scope_key, c.at = datetime(row.change.at), c.validTo = datetime(row.change.validTo)
REMOVE m:Disputed:Superseded:Stale:Tombstoned
SET m:$(row.labels)
WITH m, row
MATCH (m)-[:HAS_PASSAGE]->(p:Passage)
SET p.visibility = row.visibility
