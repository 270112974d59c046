// What the given episodes say, who said it, when, and in which conversation.
//
// mode    read
// rows    many
// param   scope_key  string        the namespace
// param   ids        list<string>  the episodes
// column  id         string        the episode
// column  memory     map           content as stored, scope and time
// column  session    string        the conversation, or null

UNWIND $ids AS id
MATCH (e:Memory {scopeKey: $scope_key, id: id})
WHERE e:Episode AND e.status <> 'tombstoned'
RETURN
  id,
  e {
    .content, .contentIsJson, .contentType, .metadataJson, .tenantId, .namespaceId, .agentId, .sessionId,
    occurredAt: toString(coalesce(e.occurredAt, e.createdAt))
  } AS memory,
  head([(e)-[:IN_SESSION]->(s:Session) | s.sessionId]) AS session
