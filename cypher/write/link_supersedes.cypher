// Nothing: supersedes links join memories of one namespace.
//
// One file for each type, since a type is never a parameter.
//
// mode    write
// rows    none
// param   scope_key  string     the namespace, its lock held
// param   rows       list<map>  {from, to, link} for each link

UNWIND $rows AS row
MATCH (a:Memory {scopeKey: $scope_key, id: row.from})
MATCH (b:Memory {scopeKey: $scope_key, id: row.to})
CREATE (a)-[r:SUPERSEDES]->(b)
SET r = row.link, r.scopeKey = $scope_key, r.createdAt = datetime(row.link.createdAt),
  r.knownFrom = datetime(row.link.knownFrom), r.knownTo = datetime(row.link.knownTo)
