// Those of the given memories that the start rests on, directly or over others.
//
// Used before a derived_from link is made: nothing may come to rest on itself. The end node is distinct, so the walk
// visits each memory once.
//
// mode    read
// rows    many
// param   scope_key  string        the namespace
// param   start      string        the memory that would become a source
// param   ids        list<string>  what would rest on it
// column  id         string        one of them that the start rests on already

MATCH (s:Memory {scopeKey: $scope_key, id: $start})-[:DERIVED_FROM*1..1000000 {status: 'active'}]->(m:Memory)
WHERE m.id IN $ids
RETURN DISTINCT m.id AS id
