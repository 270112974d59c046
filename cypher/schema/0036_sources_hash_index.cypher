// Finds the consolidations that rest on the same episodes.
//
// mode    schema
// rows    none

CREATE INDEX consolidation_sources IF NOT EXISTS FOR (c:Consolidation) ON (c.scopeKey, c.sourcesHash)
