// One lock for all processes that apply the schema.
//
// mode    schema
// rows    none

CREATE CONSTRAINT schema_lock_name IF NOT EXISTS FOR (l:SchemaLock) REQUIRE l.name IS UNIQUE
