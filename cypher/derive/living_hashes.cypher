// Those of the given source hashes that a living, fresh consolidation has.
//
// mode    read
// rows    many
// param   scope_key  string        the namespace
// param   hashes     list<string>  what is about to be written
// column  hash       string        one that is told already

MATCH (c:Consolidation {scopeKey: $scope_key})
WHERE c.sourcesHash IN $hashes AND c.liveGroupKey IS NOT NULL AND c.stale IS NULL
RETURN DISTINCT c.sourcesHash AS hash
