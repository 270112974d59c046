// A mentions link is named by its namespace and id.
//
// mode    schema
// rows    none

CREATE CONSTRAINT mentions_id IF NOT EXISTS FOR ()-[r:MENTIONS]-() REQUIRE (r.scopeKey, r.id) IS UNIQUE
