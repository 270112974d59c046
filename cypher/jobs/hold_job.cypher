// Whether the job is to be cancelled, its lock held until the transaction ends; no row when the lease is lost.
//
// What a transaction that writes for a job asks first: whoever claims the job meanwhile waits for it to end.
//
// mode    write
// rows    maybe
// param   scope_key        string   the namespace
// param   job_id           string   the job
// param   fence            integer  the claim
// column  cancelRequested  boolean  whether it is to stop

MATCH (j:Job {id: $job_id})
WHERE j.scopeKey = $scope_key
SET j.lockedBy = $job_id
WITH j
WHERE j.fence = $fence AND j.status = 'running'
RETURN coalesce(j.cancelRequested, false) AS cancelRequested
