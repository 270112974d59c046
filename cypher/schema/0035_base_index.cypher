// Finds the consolidations of one scope and filter.
//
// mode    schema
// rows    none

CREATE INDEX consolidation_base IF NOT EXISTS FOR (c:Consolidation) ON (c.scopeKey, c.baseKey)
