// Memories of which no passage waits any more, now that these have their vectors.
//
// A passage that was deleted meanwhile stays deleted. One that the model failed on is marked, so that readers can be told
// and nobody waits for it.
//
// mode    write
// rows    many
// param   scope_key  string     the namespace, its lock held
// param   model      string     the model's name
// param   rows       list<map>  {id, position, vector?, failed?} for each passage
// column  memory     map        the ref of each

CYPHER 25
UNWIND $rows AS row
MATCH (m:Memory {scopeKey: $scope_key, id: row.id})-[:HAS_PASSAGE]->(p:Passage {position: row.position})
WHERE p.pendingScope IS NOT NULL
SET p.pendingScope = null, p.pendingSeq = null, p.embeddingA = toFloatList(row.vector), p.embeddingAModel = $model,
  p.failedScope = CASE WHEN row.failed THEN $scope_key END
WITH DISTINCT m
WHERE NOT EXISTS { MATCH (m)-[:HAS_PASSAGE]->(p:Passage) WHERE p.pendingScope IS NOT NULL }
RETURN m { .id, .type, .tenantId, .namespaceId, .agentId, .sessionId } AS memory
ORDER BY m.id
