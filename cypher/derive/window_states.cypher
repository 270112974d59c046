// Those of the given episodes that still stand, and which of their claims are in dispute; read under the lock.
//
// mode    read
// rows    many
// param   scope_key  string        the namespace, its lock held
// param   ids        list<string>  the episodes
// column  id         string        an episode that is neither deleted nor superseded
// column  disputed   list<string>  the claims of it that are in dispute

UNWIND $ids AS id
MATCH (e:Memory {scopeKey: $scope_key, id: id})
WHERE e.status = 'active' AND e.standing IS NULL
RETURN
  id,
  COLLECT {
    MATCH (e)<-[:DERIVED_FROM {status: 'active'}]-(a:Atom {status: 'disputed'})
    RETURN a.id
  } AS disputed
