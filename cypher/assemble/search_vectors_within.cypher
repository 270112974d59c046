// Passages of one agent, one session or both that are nearest to a vector, otherwise as search_vectors.
//
// The index takes no OR, so "any agent" is the range of all texts. Such a range walks through the terms of every tenant,
// which is why a search of the whole namespace has a query of its own. Index: passage_vector_a.
//
// mode    read
// rows    one
// param   scope_key     string        the namespace
// param   tenant_id     string        compared in clear as well
// param   namespace_id  string        compared in clear as well
// param   vector        list<float>   what is looked for, of the length of the stored ones
// param   floor         float         the least cosine
// param   fetch         integer       passages to look at
// param   filtered      boolean       whether times and metadata are needed
// param   states        list<string>  the wanted states, as in visibility
// param   kinds         list<string>  the wanted kinds
// param   agent_low     string        the least agent token
// param   agent_high    string        the greatest agent token
// param   session_low   string        the least session token
// param   session_high  string        the greatest session token
// column  found         list          as in search_vectors

CYPHER 25
MATCH (p:Passage)
SEARCH p IN (
  VECTOR INDEX passage_vector_a
  FOR $vector
  WHERE p.scopeKey = $scope_key
    AND p.visibility IN $states
    AND p.kind IN $kinds
    AND p.agentToken >= $agent_low AND p.agentToken <= $agent_high
    AND p.sessionToken >= $session_low AND p.sessionToken <= $session_high
  LIMIT $fetch
) SCORE AS nearness
WITH p, 2 * vector.similarity.cosine(p.embeddingA, $vector) - 1 AS score
WHERE score >= $floor
MATCH (m:Memory)-[:HAS_PASSAGE]->(p)
WHERE m.scopeKey = $scope_key AND m.tenantId = $tenant_id AND m.namespaceId = $namespace_id
WITH m, p, score
ORDER BY score DESC, m.id, p.position
RETURN
  collect([
    m.id, m.type, m.agentId, m.sessionId, coalesce(m.standing, m.status), m.stale, m.staleReason, m.confidence,
    m.tokenCount, p.position, score, '',
    CASE WHEN $filtered THEN m {
      createdAt: toString(m.createdAt), occurredAt: toString(m.occurredAt), validFrom: toString(m.validFrom),
      validTo: toString(m.validTo), .metadataJson
    } END
  ]) AS found
