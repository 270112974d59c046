// Living consolidations that tell what no longer stands, and are stale from now on.
//
// A consolidation quotes its sources, so it is out of date when one of them was superseded or came into dispute after it
// was made. One that is stale already keeps its first reason. Only what this commit changed counts: a mark that was
// cleared by confirming does not come back because a neighbour was pinned.
//
// mode    write
// rows    many
// param   scope_key   string        the namespace, its lock held
// param   ids         list<string>  memories whose state changed in this commit
// param   active      string        the search mirror of an active and stale memory
// param   disputed    string        that of a disputed and stale one
// param   at          string        when
// param   seq         integer       the number of this commit
// column  memory      map           the ref of each
// column  reason      string        why it is stale
// column  renewable   boolean       whether the consolidator made it and can make it again

UNWIND $ids AS id
MATCH (m:Memory {scopeKey: $scope_key, id: id})
CALL (m) {
  RETURN m AS s
  UNION
  MATCH (m)-[:DERIVED_FROM {status: 'active'}]->(s:Episode)
  RETURN s
}
WITH DISTINCT s
WITH s, EXISTS { (s)-[:CHANGED]->(:Change {seq: $seq}) } AS changed
WITH s, CASE
  WHEN changed AND (s.status = 'superseded' OR s.standing = 'superseded') THEN 'source_superseded'
  WHEN changed AND s.status = 'disputed' OR EXISTS {
    MATCH (s)<-[r:DERIVED_FROM {status: 'active'}]-(a:Atom {status: 'disputed'})
    WHERE r.seq = $seq OR EXISTS { (a)-[:CHANGED]->(:Change {seq: $seq}) }
  } THEN 'source_disputed'
END AS reason
WHERE reason IS NOT NULL
MATCH (s)<-[:DERIVED_FROM {status: 'active'}]-(c:Consolidation)
WHERE c.status IN ['active', 'disputed'] AND c.stale IS NULL AND c.seq < $seq
// A dispute that the text already lists is no news to it.
  AND NOT (reason = 'source_disputed' AND EXISTS {
    (c)-[:DERIVED_FROM {status: 'active'}]->(:Atom {status: 'disputed'})-[:DERIVED_FROM {status: 'active'}]->(s)
  })
WITH c, max(reason) AS reason
SET c.stale = true, c.staleReason = reason, c:Stale, c.updatedAt = datetime($at)
CREATE (c)-[:CHANGED]->(:Change {
  scopeKey: $scope_key, seq: $seq, at: datetime($at), status: c.status, stale: true, validTo: c.validTo, pinned: c.pinned
})
WITH c, reason
CALL (c) {
  MATCH (c)-[:HAS_PASSAGE]->(p:Passage)
  SET p.visibility = CASE c.status WHEN 'active' THEN $active ELSE $disputed END
}
RETURN c { .id, .type, .tenantId, .namespaceId, .agentId, .sessionId } AS memory, reason,
  c.liveGroupKey IS NOT NULL AS renewable
ORDER BY c.id
