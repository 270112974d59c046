// Memories that were in dispute with nobody left on the other side, and are active again.
//
// A dispute is open while both sides are asserted: neither deleted nor superseded, and the link between them not ended. An
// episode asserts nothing any more when all it claims is superseded.
//
// mode    write
// rows    many
// param   scope_key  string        the namespace, its lock held
// param   ids        list<string>  memories that left a dispute, or whose dispute was ended
// param   shown      string        the search mirror of an active memory
// param   stale      string        that of an active and stale one
// param   at         string        when
// param   seq        integer       the number of this commit
// column  memory     map           the ref of each

UNWIND $ids AS id
MATCH (x:Memory {scopeKey: $scope_key, id: id})
CALL (x) {
  RETURN x AS m
  UNION
  MATCH (x)-[:CONTRADICTS]-(m:Memory)
  RETURN m
}
WITH DISTINCT m
WHERE m.status = 'disputed' AND NOT EXISTS {
  MATCH (m)-[:CONTRADICTS {status: 'active'}]-(o:Memory)
  WHERE o.status IN ['active', 'disputed'] AND o.replaced IS NULL
    AND (NOT EXISTS { (o:Episode)<-[:DERIVED_FROM {status: 'active'}]-(:Atom {status: 'superseded'}) } OR EXISTS {
      (o)<-[:DERIVED_FROM {status: 'active'}]-(a:Atom) WHERE a.status IN ['active', 'disputed']
    })
}
SET m.status = 'active', m.updatedAt = datetime($at)
REMOVE m:Disputed
CREATE (m)-[:CHANGED]->(:Change {
  scopeKey: $scope_key, seq: $seq, at: datetime($at), status: 'active', stale: coalesce(m.stale, false),
  validTo: m.validTo, pinned: m.pinned
})
WITH m
CALL (m) {
  MATCH (m)-[:HAS_PASSAGE]->(p:Passage)
  SET p.visibility = CASE WHEN m.stale THEN $stale ELSE $shown END
}
RETURN m { .id, .type, .tenantId, .namespaceId, .agentId, .sessionId } AS memory
ORDER BY m.id
