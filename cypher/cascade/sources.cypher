// What each of the given memories was made from.
//
// mode    read
// rows    many
// param   scope_key  string        the namespace
// param   ids        list<string>  the memories
// column  id         string        the memory
// column  source     string        one of its sources
// column  alive      boolean       whether that source was not deleted

UNWIND $ids AS id
MATCH (m:Memory {scopeKey: $scope_key, id: id})-[:DERIVED_FROM {status: 'active'}]->(s:Memory)
RETURN DISTINCT id, s.id AS source, s.status <> 'tombstoned' AS alive
