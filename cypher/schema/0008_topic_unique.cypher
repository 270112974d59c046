// One topic for each key of a namespace.
//
// mode    schema
// rows    none

CREATE CONSTRAINT topic_key IF NOT EXISTS FOR (t:Topic) REQUIRE (t.scopeKey, t.key) IS UNIQUE
