// Those of the given memories that stand behind the start in its line of succession.
//
// Used before a supersedes link is made: when what is to be replaced already stands above its replacement, the line would
// close into a circle. The end node is distinct, so a line of any shape is walked once.
//
// mode    read
// rows    many
// param   scope_key  string        the namespace
// param   start      string        the memory that would be replaced
// param   ids        list<string>  what would replace it
// column  id         string        one of them that the start already replaces

MATCH (s:Memory {scopeKey: $scope_key, id: $start})-[:SUPERSEDES*1..1000000 {status: 'active'}]->(m:Memory)
WHERE m.id IN $ids
RETURN DISTINCT m.id AS id
