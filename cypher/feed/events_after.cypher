// Events of a namespace behind a position, in their order.
//
// Index: event_position, so the cost is the page and not the history.
//
// mode    read
// rows    many
// param   scope_key  string   the namespace
// param   after      integer  the last event that was read
// param   most       integer  the length of the page
// column  event      map      the event, its time as text

MATCH (e:Event {scopeKey: $scope_key})
WHERE e.eventSeq > $after
RETURN e {
  .eventSeq, .type, .refId, .refType, .agentId, .sessionId, .jobId, .metadataJson, occurredAt: toString(e.occurredAt)
} AS event
ORDER BY e.eventSeq
LIMIT $most
