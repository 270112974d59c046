// Nothing: links are tombstoned, keeping their ends, author and times.
//
// mode    write
// rows    none
// param   scope_key  string     the namespace, its lock held
// param   rows       list<map>  {id, from, at} for each link; from is the memory it starts at

UNWIND $rows AS row
MATCH (:Memory {scopeKey: $scope_key, id: row.from})-[r {id: row.id}]->(:Memory {scopeKey: $scope_key})
SET r.status = 'tombstoned', r.knownTo = datetime(row.at), r.metadataJson = null
