// A corrects link is named by its namespace and id.
//
// mode    schema
// rows    none

CREATE CONSTRAINT corrects_id IF NOT EXISTS FOR ()-[r:CORRECTS]-() REQUIRE (r.scopeKey, r.id) IS UNIQUE
