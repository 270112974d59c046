// Finds what is held of a subject and predicate when a new claim of them arrives.
//
// mode    schema
// rows    none

CREATE INDEX claim_key IF NOT EXISTS FOR (a:Atom) ON (a.claimKey)
