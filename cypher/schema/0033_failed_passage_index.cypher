// Finds the passages of a namespace that the model failed on.
//
// mode    schema
// rows    none

CREATE INDEX passage_failed IF NOT EXISTS FOR (p:Passage) ON (p.failedScope)
