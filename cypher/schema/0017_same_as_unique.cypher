// A same_as link is named by its namespace and id.
//
// mode    schema
// rows    none

CREATE CONSTRAINT same_as_id IF NOT EXISTS FOR ()-[r:SAME_AS]-() REQUIRE (r.scopeKey, r.id) IS UNIQUE
