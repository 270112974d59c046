// Nothing: episodes stand as their claims do.
//
// An episode keeps its status for ever, but retrieval goes by what it claims: when all of that is superseded, so is the
// episode's standing. One that was replaced as a whole stays so.
//
// mode    write
// rows    none
// param   scope_key  string        the namespace, its lock held
// param   ids        list<string>  atoms whose state changed, or which are new
// param   shown      string        the search mirror of an active memory
// param   hidden     string        that of a superseded one
// param   at         string        when
// param   seq        integer       the number of this commit

UNWIND $ids AS id
MATCH (:Memory {scopeKey: $scope_key, id: id})-[:DERIVED_FROM {status: 'active'}]->(e:Episode)
WHERE e.status = 'active'
WITH DISTINCT e
WITH e, COLLECT {
  MATCH (e)<-[:DERIVED_FROM {status: 'active'}]-(a:Atom)
  WHERE a.status <> 'tombstoned'
  RETURN a.status
} AS claimed
WITH e, CASE
  WHEN e.replaced OR size(claimed) > 0 AND all(each IN claimed WHERE each = 'superseded') THEN 'superseded'
END AS standing
WHERE coalesce(standing, '') <> coalesce(e.standing, '')
SET e.standing = standing, e.updatedAt = datetime($at)
CREATE (e)-[:CHANGED]->(:Change {
  scopeKey: $scope_key, seq: $seq, at: datetime($at), status: e.status, stale: false, standing: standing,
  validTo: e.validTo
})
WITH e, standing
MATCH (e)-[:HAS_PASSAGE]->(p:Passage)
SET p.visibility = CASE WHEN standing IS NULL THEN $shown ELSE $hidden END
