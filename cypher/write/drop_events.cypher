// How many of the oldest events of a namespace were dropped; the position of the oldest kept one moved with them.
//
// Events rise in number and in time alike, so what is dropped is always a run from the oldest on. The last event stays,
// so that a namespace never seems to begin anew.
//
// mode    write
// rows    one
// param   scope_key  string   the namespace, its lock held
// param   days       integer  for how long events are kept
// param   most       integer  events to drop at once
// column  dropped    integer  how many

MATCH (n:Namespace {scopeKey: $scope_key})
CALL (n) {
  MATCH (e:Event {scopeKey: n.scopeKey})
  WHERE e.eventSeq >= n.firstEventSeq AND e.eventSeq < n.eventSeq
  WITH e
  ORDER BY e.eventSeq
  LIMIT $most
  WHERE e.occurredAt < datetime() - duration({days: $days})
  WITH collect(e) AS old
  FOREACH (e IN old | DELETE e)
  RETURN size(old) AS dropped
}
SET n.firstEventSeq = n.firstEventSeq + dropped
RETURN dropped
