// The memories of a namespace by age.
//
// mode    schema
// rows    none

CREATE INDEX memory_list IF NOT EXISTS FOR (m:Memory) ON (m.scopeKey, m.createdAt)
