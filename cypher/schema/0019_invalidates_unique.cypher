// A invalidates link is named by its namespace and id.
//
// mode    schema
// rows    none

CREATE CONSTRAINT invalidates_id IF NOT EXISTS FOR ()-[r:INVALIDATES]-() REQUIRE (r.scopeKey, r.id) IS UNIQUE
