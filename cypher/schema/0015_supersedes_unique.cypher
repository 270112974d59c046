// A supersedes link is named by its namespace and id.
//
// mode    schema
// rows    none

CREATE CONSTRAINT supersedes_id IF NOT EXISTS FOR ()-[r:SUPERSEDES]-() REQUIRE (r.scopeKey, r.id) IS UNIQUE
