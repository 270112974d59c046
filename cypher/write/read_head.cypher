// What a group of writes must know before it decides, read under the lock; the namespace's seq is one further.
//
// mode    write
// rows    one
// param   scope_key     string        the namespace, its lock held
// param   tenant_id     string        compared with the stored one, in case two names ever share a key
// param   namespace_id  string        likewise
// param   dedupe_hashes list<string>  the keys the group brings
// param   slug_keys     list<string>  the note slugs the group saves
// param   session_ids   list<string>  the sessions the group adds to
// param   lane          string        the write lane
// column  seq           integer       the number of this commit
// column  head          map           counters and clock of the namespace
// column  known         list<map>     episodes that hold one of the keys
// column  notes         list<map>     live notes that hold one of the slugs
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
  RETURN collect({
    key: key, id: a.id, contentHash: a.contentHash, status: a.status, pinned: a.pinned, validFrom: a.validFrom,
    validTo: a.validTo, agentId: a.agentId, sessionId: a.sessionId, sources: COUNT { (a)-[:DERIVED_FROM]->() }
  }) AS notes
}
CALL () {
  UNWIND $session_ids AS id
  MATCH (s:Session {scopeKey: $scope_key, sessionId: id})
  RETURN collect({id: id, last: s.lastEpisodeId}) AS sessions
}
OPTIONAL MATCH (c:Commit {lane: $lane})
RETURN n.seq AS seq, n {.eventSeq, .clock, .noteCount, .noteSeq} AS head, known, notes, sessions,
  c {.commitId, .result} AS lastCommit
