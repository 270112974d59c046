// The texts of the given passages.
//
// mode    read
// rows    many
// param   scope_key  string     the namespace
// param   wanted     list<map>  {id, position} for each passage
// column  id         string     the memory
// column  position   integer    the passage's place in it
// column  text       string     the passage

UNWIND $wanted AS each
MATCH (m:Memory {scopeKey: $scope_key, id: each.id})-[:HAS_PASSAGE]->(p:Passage {position: each.position})
RETURN m.id AS id, p.position AS position, p.text AS text
