// At most one queued job for each merge key; a job gives its key up when it is claimed.
//
// mode    schema
// rows    none

CREATE CONSTRAINT job_merge IF NOT EXISTS FOR (j:Job) REQUIRE j.mergeKey IS UNIQUE
