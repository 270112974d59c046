// Passages that still wait for their vectors, those of a memory together.
//
// mode    read
// rows    many
// param   scope_key  string     the namespace
// param   most       integer    passages to read
// column  id         string     the memory
// column  position   integer    the passage's place in it
// column  text       string     the passage

MATCH (p:Passage {pendingScope: $scope_key})
RETURN p.memoryId AS id, p.position AS position, p.text AS text
ORDER BY id, position
LIMIT $most
