// Nothing: new consolidations are in the graph, each with its passages and the first entry of its history.
//
// The labels mirror the state and come from our own words, never from a caller. Times come as text: packing one of the
// driver's own costs more than storing an episode.
//
// mode    write
// rows    none
// param   scope_key  string     the namespace, its lock held
// param   rows       list<map>  {memory, labels, passages, change} for each consolidation

CYPHER 25
UNWIND $rows AS row
CREATE (m:Memory:Consolidation)
SET m = row.memory, m.scopeKey = $scope_key,
  m.createdAt = datetime(row.memory.createdAt), m.validFrom = datetime(row.memory.validFrom),
  m.validTo = datetime(row.memory.validTo), m.producedAt = datetime(row.memory.producedAt),
  m.statedAt = datetime(row.memory.statedAt), m.lastVerifiedAt = datetime(row.memory.lastVerifiedAt)
SET m:$(row.labels)
CREATE (m)-[:CHANGED]->(c:Change)
SET c = row.change, c.scopeKey = $scope_key, c.at = datetime(row.change.at), c.validTo = datetime(row.change.validTo)
WITH m, row
UNWIND row.passages AS each
CREATE (m)-[:HAS_PASSAGE]->(p:Passage)
SET p = each.props, p.scopeKey = $scope_key, p.embeddingA = toFloatList(each.vector)
