// Namespaces whose oldest kept event is older than wanted, and not their only one.
//
// mode    read
// rows    many
// param   scope_key  string   one namespace; null: every one of them ages
// param   days       integer  for how long events are kept
// param   most       integer  namespaces to name
// column  expired    string   the scopeKey of each

MATCH (n:Namespace)
WHERE n.firstEventSeq < n.eventSeq AND ($scope_key IS NULL OR n.scopeKey = $scope_key)
MATCH (e:Event {scopeKey: n.scopeKey, eventSeq: n.firstEventSeq})
WHERE e.occurredAt < datetime() - duration({days: $days})
RETURN n.scopeKey AS expired
LIMIT $most
