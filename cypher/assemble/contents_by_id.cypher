// The contents of living memories by id, and nothing else of them.
//
// A context looks at many more memories than it takes; the rest is read for those that it takes. All in one row, as in
// search_passages. Index: memory_id.
//
// mode    read
// rows    one
// param   scope_key  string        the namespace
// param   ids        list<string>  what is asked for
// column  found      list          [id, content as stored, whether that is JSON text] of each

UNWIND $ids AS id
MATCH (m:Memory {scopeKey: $scope_key, id: id})
WHERE m.status <> 'tombstoned'
RETURN collect([m.id, m.content, coalesce(m.contentIsJson, false)]) AS found
