// What a group of writes must know before it decides, read under the lock; the namespace's seq is one further.
//
// Each of the memories is described once however it was asked for. An episode names the atoms made from it, which are
// described as well.
//
// mode    write
// rows    one
// param   scope_key     string        the namespace, its lock held
// param   tenant_id     string        compared with the stored one, in case two names ever share a key
// param   namespace_id  string        likewise
// param   dedupe_hashes list<string>  the keys the group brings
// param   slug_keys     list<string>  the note slugs the group saves
// param   session_ids   list<string>  the sessions the group adds to
// param   claim_keys    list<string>  the subjects and predicates the group claims something of
// param   memory_ids    list<string>  the memories the group names
// param   lane          string        the write lane
// column  seq           integer       the number of this commit
// column  head          map           counters and clock of the namespace
// column  known         list<map>     episodes that hold one of the keys
// column  memories      list<map>     live notes that hold one of the slugs, claims, and the memories named
// column  sessions      list<map>     sessions and their last episode
// column  lastCommit    map           the last commit of the lane, or null

MATCH (n:Namespace {scopeKey: $scope_key, tenantId: $tenant_id, namespaceId: $namespace_id})
SET n.seq = n.seq + 1
WITH n
CALL () {
  UNWIND $dedupe_hashes AS hash
  MATCH (e:Episode {dedupeHash: hash})
  RETURN collect({hash: hash, id: e.id, contentHash: e.contentHash, status: e.status}) AS known
}
CALL () {
  UNWIND $slug_keys AS key
  MATCH (a:Atom {liveSlugKey: key})
  RETURN collect(a) AS noted
}
CALL () {
  UNWIND $claim_keys AS key
  MATCH (a:Atom {claimKey: key})
  RETURN collect(a) AS claimed
}
CALL () {
  UNWIND $memory_ids AS id
  MATCH (m:Memory {scopeKey: $scope_key, id: id})
  RETURN collect(m) AS named
}
CALL () {
  UNWIND $memory_ids AS id
  MATCH (:Memory {scopeKey: $scope_key, id: id})<-[:DERIVED_FROM]-(a:Atom)
  RETURN collect(a) AS made
}
CALL (noted, claimed, named, made) {
  UNWIND noted + claimed + named + made AS m
  RETURN collect(m {
    .id, .type, .tenantId, .namespaceId, .agentId, .sessionId, .status, .stale, .staleReason, .replaced, .pinned,
    .contentHash, .liveSlugKey, .claimKey, .valueKey, .cardinality, .dated, validFrom: toString(m.validFrom),
    validTo: toString(m.validTo), lastVerifiedAt: toString(m.lastVerifiedAt), statedAt: toString(m.statedAt),
    live: m.noteScope IS NOT NULL, sources: COUNT { (m)-[:DERIVED_FROM]->() },
    claims: CASE WHEN m:Episode THEN COLLECT { MATCH (m)<-[:DERIVED_FROM]-(a:Atom) RETURN a.id ORDER BY a.id } END
  }) AS memories
}
CALL () {
  UNWIND $session_ids AS id
  MATCH (s:Session {scopeKey: $scope_key, sessionId: id})
  RETURN collect({id: id, last: s.lastEpisodeId}) AS sessions
}
OPTIONAL MATCH (c:Commit {lane: $lane})
RETURN n.seq AS seq, n {.eventSeq, .clock, .noteCount, .noteSeq} AS head, known, memories, sessions,
  c {.commitId, .result} AS lastCommit
