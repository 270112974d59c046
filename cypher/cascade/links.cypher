// Links by id, deleted ones as well, each with the memories it joins.
//
// One branch for each type, so that each finds its link by its own uniqueness index.
//
// mode    read
// rows    many
// param   scope_key  string        the namespace
// param   ids        list<string>  what is asked for
// column  id         string        the link
// column  kind       string        the relationship type
// column  status     string        active or tombstoned
// column  agentId    string        who it was written for, or null
// column  sessionId  string        likewise
// column  source     string        the memory at which it starts
// column  target     string        the memory at which it ends
// column  sources    integer       of a derived_from link: how many living sources its start has

UNWIND $ids AS id
CALL (id) {
  MATCH (a:Memory)-[r:DERIVED_FROM {scopeKey: $scope_key, id: id}]->(b:Memory)
  RETURN a, r, b
  UNION ALL
  MATCH (a:Memory)-[r:SUPPORTS {scopeKey: $scope_key, id: id}]->(b:Memory)
  RETURN a, r, b
  UNION ALL
  MATCH (a:Memory)-[r:CONTRADICTS {scopeKey: $scope_key, id: id}]->(b:Memory)
  RETURN a, r, b
  UNION ALL
  MATCH (a:Memory)-[r:SUPERSEDES {scopeKey: $scope_key, id: id}]->(b:Memory)
  RETURN a, r, b
  UNION ALL
  MATCH (a:Memory)-[r:MENTIONS {scopeKey: $scope_key, id: id}]->(b:Memory)
  RETURN a, r, b
  UNION ALL
  MATCH (a:Memory)-[r:SAME_AS {scopeKey: $scope_key, id: id}]->(b:Memory)
  RETURN a, r, b
  UNION ALL
  MATCH (a:Memory)-[r:CORRECTS {scopeKey: $scope_key, id: id}]->(b:Memory)
  RETURN a, r, b
  UNION ALL
  MATCH (a:Memory)-[r:INVALIDATES {scopeKey: $scope_key, id: id}]->(b:Memory)
  RETURN a, r, b
  UNION ALL
  MATCH (a:Memory)-[r:LINKED {scopeKey: $scope_key, id: id}]->(b:Memory)
  RETURN a, r, b
}
RETURN
  r.id AS id, type(r) AS kind, r.status AS status, r.agentId AS agentId, r.sessionId AS sessionId, a.id AS source,
  b.id AS target, COUNT { (a)-[:DERIVED_FROM {status: 'active'}]->(:Memory) } AS sources
