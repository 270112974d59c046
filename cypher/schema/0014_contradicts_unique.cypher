// A contradicts link is named by its namespace and id.
//
// mode    schema
// rows    none

CREATE CONSTRAINT contradicts_id IF NOT EXISTS FOR ()-[r:CONTRADICTS]-() REQUIRE (r.scopeKey, r.id) IS UNIQUE
