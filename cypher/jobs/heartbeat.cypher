// Whether the job is to be cancelled, its lease extended; no row when the lease is lost.
//
// mode    write
// rows    maybe
// param   scope_key        string   the namespace
// param   job_id           string   the job
// param   fence            integer  the claim
// param   lease_ms         integer  for how long from now
// param   progress         string   what it says of its progress, or null to keep what it said
// column  cancelRequested  boolean  whether it is to stop

MATCH (j:Job {id: $job_id})
WHERE j.scopeKey = $scope_key
SET j.lockedBy = $job_id
WITH j, datetime() + duration({milliseconds: $lease_ms}) AS until
WHERE j.fence = $fence AND j.status = 'running'
SET j.leaseUntil = until, j.readyAt = until, j.progressJson = coalesce($progress, j.progressJson)
RETURN coalesce(j.cancelRequested, false) AS cancelRequested
