// The living consolidations of one scope and filter, with what they cover.
//
// mode    read
// rows    many
// param   scope_key    string   the namespace
// param   base_key     string   the line of consolidations of one scope and filter
// column  id           string   the consolidation
// column  grouping     string   its session, or an empty text
// column  from         integer  the first place it covers
// column  to           integer  the last place it covers
// column  closed       boolean  whether its window is full
// column  stale        boolean  whether a source changed since
// column  sourcesHash  string   of the episodes it rests on

MATCH (c:Consolidation {scopeKey: $scope_key, baseKey: $base_key})
WHERE c.liveGroupKey IS NOT NULL
RETURN c.id AS id, c.grouping AS grouping, c.windowFrom AS from, c.windowTo AS to, coalesce(c.closed, false) AS closed,
  coalesce(c.stale, false) AS stale, c.sourcesHash AS sourcesHash
ORDER BY from, id
