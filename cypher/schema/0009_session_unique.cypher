// One session for each session id of a namespace.
//
// mode    schema
// rows    none

CREATE CONSTRAINT session_id IF NOT EXISTS FOR (s:Session) REQUIRE (s.scopeKey, s.sessionId) IS UNIQUE
