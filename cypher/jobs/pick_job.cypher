// One of the jobs that may be taken, its lock held; it may have been taken while we waited for the lock.
//
// A random one of the first few, so that workers seldom wait for each other. The plain write takes the lock
// (docs/decisions/0013); whether the job can still be had is for the next statement to see, since this one may have
// read it before the wait.
//
// mode    write
// rows    maybe
// param   scope_key  string   the one namespace that the worker serves, or null for all
// param   owner      string   the worker
// param   among      integer  how many of the longest waiting to pick from
// column  id         string   the job

MATCH (j:Job)
WHERE j.readyAt <= datetime() AND ($scope_key IS NULL OR j.scopeKey = $scope_key)
WITH j
ORDER BY j.readyAt
LIMIT $among
WITH j
ORDER BY rand()
LIMIT 1
SET j.lockedBy = $owner
RETURN j.id AS id
