// The job as it is now taken: running, or ended when it was cancelled or lost too many workers; no row when it is gone.
//
// The second statement of a claim. A lease that ran out counts as an attempt, so a job that kills its workers ends.
//
// mode    write
// rows    maybe
// unscoped because a worker serves every namespace
// param   job_id    string   the job, its lock held
// param   owner     string   the worker
// param   lease_ms  integer  for how long it has the job unless it says more
// param   lost      string   the error of a job that lost too many workers
// column  job       map      the job

MATCH (j:Job {id: $job_id})
WHERE j.readyAt <= datetime()
WITH j, datetime() + duration({milliseconds: $lease_ms}) AS until,
  CASE
    WHEN coalesce(j.cancelRequested, false) THEN 'cancelled'
    WHEN j.attempts >= j.maxAttempts THEN 'failed'
    ELSE 'running'
  END AS status
SET j += CASE status
    WHEN 'running' THEN {attempts: j.attempts + 1, fence: j.fence + 1, leaseOwner: $owner, leaseUntil: until, readyAt: until}
    WHEN 'failed' THEN {leaseOwner: null, leaseUntil: null, readyAt: null, errorJson: $lost}
    ELSE {leaseOwner: null, leaseUntil: null, readyAt: null, cancelRequested: null}
  END,
  j.status = status, j.updatedAt = datetime()
REMOVE j.mergeKey
RETURN j {
  .id, .kind, .tenantId, .namespaceId, .agentId, .sessionId, .status, .attempts, .maxAttempts, .fence, .payloadJson,
  .resultJson, .errorJson, .progressJson, .trigger, .cancelRequested, .createdById, .createdByKind,
  createdAt: toString(j.createdAt), updatedAt: toString(j.updatedAt)
} AS job
