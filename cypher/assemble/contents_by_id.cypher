// The contents of living memories by id, and nothing else of them.
//
// A context looks at many more memories than it takes; the rest is read for those that it takes. Index: memory_id.
//
// mode    read
// rows    many
// param   scope_key      string        the namespace
// param   ids            list<string>  what is asked for
// column  id             string        the memory
// column  content        string        as stored
// column  contentIsJson  boolean       whether the content is JSON text, or null

UNWIND $ids AS id
MATCH (m:Memory {scopeKey: $scope_key, id: id})
WHERE m.status <> 'tombstoned'
RETURN m.id AS id, m.content AS content, m.contentIsJson AS contentIsJson
