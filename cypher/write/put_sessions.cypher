// Nothing: episodes stand in their session, each after the one that was ingested before it.
//
// mode    write
// rows    none
// param   scope_key  string     the namespace, its lock held
// param   rows       list<map>  {sessionId, last, pairs: list of {id, previous}} for each session

UNWIND $rows AS row
MERGE (s:Session {scopeKey: $scope_key, sessionId: row.sessionId})
SET s.lastEpisodeId = row.last
WITH s, row
UNWIND row.pairs AS pair
MATCH (e:Memory {scopeKey: $scope_key, id: pair.id})
CREATE (e)-[:IN_SESSION]->(s)
WITH e, pair
MATCH (before:Memory {scopeKey: $scope_key, id: pair.previous})
CREATE (before)-[:NEXT]->(e)
