// A memory is named by its namespace and id.
//
// mode    schema
// rows    none

CREATE CONSTRAINT memory_id IF NOT EXISTS FOR (m:Memory) REQUIRE (m.scopeKey, m.id) IS UNIQUE
