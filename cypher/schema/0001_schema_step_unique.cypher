// One record for each applied schema file.
//
// mode    schema
// rows    none

CREATE CONSTRAINT schema_step_name IF NOT EXISTS FOR (s:SchemaStep) REQUIRE s.name IS UNIQUE
