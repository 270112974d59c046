// Every passage that holds a wanted word, with what the filters need and without its text.
//
// Used when a filter that the index cannot apply left too few of the best ones. Index: passage_text.
//
// mode    read
// rows    one
// param   scope_key     string   the namespace
// param   tenant_id     string   compared in clear as well
// param   namespace_id  string   compared in clear as well
// param   lucene        string   words and conditions, escaped
// column  found         list     as in search_passages, with an empty text

CALL db.index.fulltext.queryNodes('passage_text', $lucene) YIELD node AS p, score
WHERE score > 0 AND p.scopeKey = $scope_key
MATCH (m:Memory)-[:HAS_PASSAGE]->(p)
WHERE m.scopeKey = $scope_key AND m.tenantId = $tenant_id AND m.namespaceId = $namespace_id
RETURN
  collect([
    m.id, m.type, m.agentId, m.sessionId, coalesce(m.standing, m.status), m.stale, m.staleReason, m.confidence,
    m.tokenCount, p.position, score, '',
    m {
      createdAt: toString(m.createdAt), occurredAt: toString(m.occurredAt), validFrom: toString(m.validFrom),
      validTo: toString(m.validTo), .metadataJson
    }
  ]) AS found
