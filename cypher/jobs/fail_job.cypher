// What became of a job whose attempt failed: queued for later, failed, or cancelled; no row when the lease is lost.
//
// It waits 2, 4, 8 … seconds, at most five minutes, less up to half of it by chance.
//
// mode    write
// rows    maybe
// param   scope_key  string   the namespace
// param   job_id     string   the job
// param   fence      integer  the claim
// param   retryable  boolean  whether another attempt can help
// param   error      string   the error as JSON
// param   progress   string   its progress as JSON, or null to keep what it said
// column  status     string   queued, failed or cancelled

MATCH (j:Job {id: $job_id})
WHERE j.scopeKey = $scope_key
SET j.lockedBy = $job_id
WITH j
WHERE j.fence = $fence AND j.status = 'running'
WITH j, CASE
    WHEN coalesce(j.cancelRequested, false) THEN 'cancelled'
    WHEN $retryable AND j.attempts < j.maxAttempts THEN 'queued'
    ELSE 'failed'
  END AS status,
  CASE WHEN j.attempts > 8 THEN 300.0 ELSE 2.0 ^ j.attempts END * (0.5 + rand() / 2) AS wait
WITH j, status, datetime() + duration({milliseconds: toInteger(wait * 1000)}) AS due
SET j += CASE status WHEN 'queued' THEN {runAfter: due, readyAt: due} ELSE {readyAt: null} END,
  j.status = status, j.errorJson = $error, j.progressJson = coalesce($progress, j.progressJson), j.updatedAt = datetime()
REMOVE j.leaseOwner, j.leaseUntil, j.cancelRequested
RETURN status
