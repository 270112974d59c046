// Nothing: events stand in their places, and the commit is recorded in its lane.
//
// The last statement of a write: it moves the namespace's counters and clock to where this commit leaves them.
//
// mode    write
// rows    none
// param   scope_key  string     the namespace, its lock held
// param   head       map        the counters and the clock after this commit
// param   events     list<map>  the events, numbered
// param   lane       string     the write lane
// param   commit     map        {commitId, seq, result}

MATCH (n:Namespace {scopeKey: $scope_key})
SET n += $head, n.clock = datetime($head.clock)
MERGE (c:Commit {lane: $lane})
SET c += $commit, c.scopeKey = $scope_key, c.at = datetime()
WITH n
UNWIND $events AS row
CREATE (e:Event)
SET e = row, e.scopeKey = $scope_key, e.occurredAt = datetime(row.occurredAt)
