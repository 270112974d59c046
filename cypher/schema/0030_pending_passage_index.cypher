// Finds the passages of a namespace that still wait for their vectors.
//
// mode    schema
// rows    none

CREATE INDEX passage_pending IF NOT EXISTS FOR (p:Passage) ON (p.pendingScope)
