// Memories that were to be erased in this transaction and still hold something a search could find.
//
// A deletion is acknowledged only when this names none: the passages are what the indexes hold.
//
// mode    read
// rows    many
// param   scope_key  string        the namespace
// param   ids        list<string>  what was erased
// column  id         string        one that was not

UNWIND $ids AS id
OPTIONAL MATCH (m:Memory {scopeKey: $scope_key, id: id})
WITH id, m
WHERE m IS NULL OR m.status <> 'tombstoned' OR m.content IS NOT NULL OR EXISTS { (m)-[:HAS_PASSAGE]->() }
RETURN id
