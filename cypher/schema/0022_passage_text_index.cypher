// Passages by their words, with every filter inside the index.
//
// Transactional, so that a commit is searchable when it is acknowledged; the analyzer stems English and keeps the hashed
// filter terms whole.
//
// mode    schema
// rows    none

CREATE FULLTEXT INDEX passage_text IF NOT EXISTS
FOR (p:Passage) ON EACH [p.text, p.scopeKey, p.kind, p.visibility, p.agentToken, p.sessionToken]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: false}}
