// The job, queued again from the start when it had failed or was cancelled; no row when it had not.
//
// mode    write
// rows    maybe
// param   scope_key  string  the namespace
// param   job_id     string  the job
// column  job        map     the job

MATCH (j:Job {id: $job_id})
WHERE j.scopeKey = $scope_key
SET j.lockedBy = $job_id
WITH j
WHERE j.status IN ['failed', 'cancelled']
SET j.status = 'queued', j.attempts = 0, j.runAfter = datetime(), j.readyAt = datetime(), j.updatedAt = datetime()
REMOVE j.resultJson, j.errorJson, j.progressJson, j.cancelRequested
RETURN j {
  .id, .kind, .tenantId, .namespaceId, .agentId, .sessionId, .status, .attempts, .maxAttempts, .fence, .payloadJson,
  .resultJson, .errorJson, .progressJson, .trigger, .cancelRequested, .createdById, .createdByKind,
  createdAt: toString(j.createdAt), updatedAt: toString(j.updatedAt)
} AS job
