// Passages that hold a wanted word, best first, each with the memory it belongs to.
//
// Scope, state and kind are conditions inside the index; the memory is compared again, because the passage's copies of
// its state are only mirrors. A score of 0 means that only the conditions matched. The status is the standing of an
// episode whose claims are all replaced. Index: passage_text.
//
// All of them come in one row: a driver spends more time on rows than on what stands in them.
//
// mode    read
// rows    one
// param   scope_key     string   the namespace
// param   tenant_id     string   compared in clear as well
// param   namespace_id  string   compared in clear as well
// param   lucene        string   words and conditions, escaped
// param   fetch         integer  passages to look at
// param   filtered      boolean  whether times and metadata are needed
// column  found         list     [id, type, agentId, sessionId, status, stale, staleReason, confidence, tokenCount,
//                                position, score, text, times and metadata or null] of each

CALL db.index.fulltext.queryNodes('passage_text', $lucene, {limit: $fetch}) YIELD node AS p, score
WHERE score > 0 AND p.scopeKey = $scope_key
MATCH (m:Memory)-[:HAS_PASSAGE]->(p)
WHERE m.scopeKey = $scope_key AND m.tenantId = $tenant_id AND m.namespaceId = $namespace_id
RETURN
  collect([
    m.id, m.type, m.agentId, m.sessionId, coalesce(m.standing, m.status), m.stale, m.staleReason, m.confidence,
    m.tokenCount, p.position, score, p.text,
    CASE WHEN $filtered THEN m {
      createdAt: toString(m.createdAt), occurredAt: toString(m.occurredAt), validFrom: toString(m.validFrom),
      validTo: toString(m.validTo), .metadataJson
    } END
  ]) AS found
