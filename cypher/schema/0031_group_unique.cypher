// One live consolidation for each group of a namespace.
//
// mode    schema
// rows    none

CREATE CONSTRAINT live_group IF NOT EXISTS FOR (c:Consolidation) REQUIRE c.liveGroupKey IS UNIQUE
