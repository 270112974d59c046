// What became of a job that is handed back: queued as if it had not been claimed, or cancelled; no row when the lease is lost.
//
// mode    write
// rows    maybe
// param   scope_key  string   the namespace
// param   job_id     string   the job
// param   fence      integer  the claim
// column  status     string   queued or cancelled

MATCH (j:Job {id: $job_id})
WHERE j.scopeKey = $scope_key
SET j.lockedBy = $job_id
WITH j
WHERE j.fence = $fence AND j.status = 'running'
SET j += CASE
    WHEN coalesce(j.cancelRequested, false) THEN {status: 'cancelled', readyAt: null}
    ELSE {status: 'queued', attempts: j.attempts - 1, runAfter: datetime(), readyAt: datetime()}
  END,
  j.updatedAt = datetime()
REMOVE j.leaseOwner, j.leaseUntil, j.cancelRequested
RETURN j.status AS status
