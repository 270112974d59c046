// Living links by id, each with the memories it joins.
//
// One branch for each type, so that each finds its link by its own uniqueness index.
//
// mode    read
// rows    many
// param   scope_key  string        the namespace
// param   ids        list<string>  what is asked for
// column  kind       string        the relationship type
// column  link       map           everything stored of it
// column  source     map           where it starts
// column  target     map           where it ends

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
WITH a, r, b
WHERE r.status <> 'tombstoned'
RETURN
  type(r) AS kind, r { .* } AS link,
  a { .id, .type, .tenantId, .namespaceId, .agentId, .sessionId } AS source,
  b { .id, .type, .tenantId, .namespaceId, .agentId, .sessionId } AS target
