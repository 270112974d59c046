// Passages nearest to a vector, best first, each with the memory it belongs to.
//
// Scope, state and kind are conditions inside the index; the memory is compared again, because the passage's copies of
// its state are only mirrors. The score is the cosine, worked out from the vectors themselves: what the index says of it
// comes from its own copy. Index: passage_vector_a.
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
// column  found         list          as in search_passages, with the cosine as score and an empty text

CYPHER 25
MATCH (p:Passage)
SEARCH p IN (
  VECTOR INDEX passage_vector_a
  FOR $vector
  WHERE p.scopeKey = $scope_key
    AND p.visibility IN $states
    AND p.kind IN $kinds
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
