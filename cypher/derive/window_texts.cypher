// What the given episodes say, and the open disputes about what they claim.
//
// mode    read
// rows    many
// param   scope_key  string        the namespace
// param   ids        list<string>  the episodes
// column  id         string        the episode
// column  memory     map           content as stored, and who said it when
// column  disputed   list<map>     {id, text} of each claim of it that is in dispute

UNWIND $ids AS id
MATCH (e:Memory {scopeKey: $scope_key, id: id})
WHERE e.status <> 'tombstoned'
RETURN
  id,
  e { .content, .contentIsJson, .metadataJson, occurredAt: toString(e.occurredAt) } AS memory,
  COLLECT {
    MATCH (e)<-[:DERIVED_FROM {status: 'active'}]-(a:Atom {status: 'disputed'})
    RETURN {id: a.id, text: a.content}
    ORDER BY a.id
  } AS disputed
