// A supports link is named by its namespace and id.
//
// mode    schema
// rows    none

CREATE CONSTRAINT supports_id IF NOT EXISTS FOR ()-[r:SUPPORTS]-() REQUIRE (r.scopeKey, r.id) IS UNIQUE
