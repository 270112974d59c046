// One live version for each slug of a full scope.
//
// mode    schema
// rows    none

CREATE CONSTRAINT atom_live_slug_key IF NOT EXISTS FOR (a:Atom) REQUIRE a.liveSlugKey IS UNIQUE
