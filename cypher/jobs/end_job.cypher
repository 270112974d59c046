// The job, ended with what it made; no row when the lease is lost.
//
// mode    write
// rows    maybe
// param   scope_key  string   the namespace
// param   job_id     string   the job
// param   fence      integer  the claim
// param   status     string   completed or cancelled
// param   result     string   the result as JSON, or null
// param   progress   string   its progress as JSON, or null to keep what it said
// column  id         string   the job

MATCH (j:Job {id: $job_id})
WHERE j.scopeKey = $scope_key
SET j.lockedBy = $job_id
WITH j
WHERE j.fence = $fence AND j.status = 'running'
SET j.status = $status, j.resultJson = $result, j.progressJson = coalesce($progress, j.progressJson),
  j.updatedAt = datetime()
REMOVE j.leaseOwner, j.leaseUntil, j.readyAt, j.errorJson, j.cancelRequested
RETURN j.id AS id
