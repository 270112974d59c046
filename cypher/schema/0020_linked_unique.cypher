// A linked link is named by its namespace and id.
//
// mode    schema
// rows    none

CREATE CONSTRAINT linked_id IF NOT EXISTS FOR ()-[r:LINKED]-() REQUIRE (r.scopeKey, r.id) IS UNIQUE
