// Living memories by id, each with its direct sources in their stated order and what it replaces.
//
// A source that was deleted is still named: only its id is left of it. Index: memory_id.
//
// mode    read
// rows    many
// param   scope_key         string        the namespace
// param   ids               list<string>  what is asked for
// column  memory            map           everything stored of it
// column  sources           list<map>     what it was derived from
// column  supersedes        list<map>     what it replaces
// column  topics            list<string>  topic names, the first topic first
// column  sourceGone        boolean       whether a source was deleted
// column  disputedClaims    boolean       whether a claim made from it is in dispute
// column  supersededClaims  boolean       whether a claim made from it was replaced

UNWIND $ids AS id
MATCH (m:Memory {scopeKey: $scope_key, id: id})
WHERE m.status <> 'tombstoned'
RETURN
  // Times as text: the driver takes five times as long to make its own.
  m {
    .*, createdAt: toString(m.createdAt), updatedAt: toString(m.updatedAt), occurredAt: toString(m.occurredAt),
    validFrom: toString(m.validFrom), validTo: toString(m.validTo), producedAt: toString(m.producedAt),
    lastVerifiedAt: toString(m.lastVerifiedAt)
  } AS memory,
  COLLECT {
    MATCH (m)-[r:DERIVED_FROM]->(s:Memory)
    WHERE r.status <> 'tombstoned'
    RETURN s { .id, .type, .tenantId, .namespaceId, .agentId, .sessionId }
    ORDER BY coalesce(r.position, 0), r.seq, s.id
  } AS sources,
  COLLECT {
    MATCH (m)-[r:SUPERSEDES]->(o:Memory)
    WHERE r.status <> 'tombstoned'
    RETURN o { .id, .type, .tenantId, .namespaceId, .agentId, .sessionId }
    ORDER BY coalesce(r.position, 0), r.seq, o.id
  } AS supersedes,
  COLLECT {
    MATCH (m)-[a:ABOUT]->(t:Topic)
    RETURN t.name
    ORDER BY a.position
  } AS topics,
  EXISTS { (m)-[:DERIVED_FROM]->(:Memory {status: 'tombstoned'}) } AS sourceGone,
  EXISTS { (m:Episode)<-[:DERIVED_FROM]-(:Atom {status: 'disputed'}) } OR EXISTS {
    MATCH (m:Episode)-[:CONTRADICTS {status: 'active'}]-(o:Memory)
    WHERE o.status IN ['active', 'disputed'] AND o.replaced IS NULL
  } AS disputedClaims,
  coalesce(m.standing, '') = 'superseded' OR EXISTS { (m:Episode)<-[:DERIVED_FROM]-(:Atom {status: 'superseded'}) } AS supersededClaims
