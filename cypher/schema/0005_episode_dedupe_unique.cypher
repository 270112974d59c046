// One episode for each dedupe key of a full scope.
//
// mode    schema
// rows    none

CREATE CONSTRAINT episode_dedupe_hash IF NOT EXISTS FOR (e:Episode) REQUIRE e.dedupeHash IS UNIQUE
