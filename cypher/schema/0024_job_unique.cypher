// A job is named by its id.
//
// mode    schema
// rows    none

CREATE CONSTRAINT job_id IF NOT EXISTS FOR (j:Job) REQUIRE j.id IS UNIQUE
