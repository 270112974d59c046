// The jobs of a namespace by age.
//
// mode    schema
// rows    none

CREATE INDEX job_list IF NOT EXISTS FOR (j:Job) ON (j.scopeKey, j.createdAt)
