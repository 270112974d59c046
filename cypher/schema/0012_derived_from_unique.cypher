// A derived_from link is named by its namespace and id.
//
// mode    schema
// rows    none

CREATE CONSTRAINT derived_from_id IF NOT EXISTS FOR ()-[r:DERIVED_FROM]-() REQUIRE (r.scopeKey, r.id) IS UNIQUE
