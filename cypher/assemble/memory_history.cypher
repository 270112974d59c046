// The states a memory has been in, newest first.
//
// mode    read
// rows    many
// param   scope_key  string   the namespace
// param   id         string   the memory
// param   most       integer  most entries
// column  change     map      {at, status, stale, validTo, pinned, standing}

MATCH (:Memory {scopeKey: $scope_key, id: $id})-[:CHANGED]->(c:Change)
WITH c
ORDER BY c.seq DESC, c.at DESC
LIMIT $most
RETURN c { .status, .stale, .pinned, .standing, at: toString(c.at), validTo: toString(c.validTo) } AS change
