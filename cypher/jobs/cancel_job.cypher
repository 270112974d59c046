// The job after the wish to cancel it: a queued one is cancelled, a running one is told; no row when there is none.
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
SET j += CASE j.status
    WHEN 'queued' THEN {status: 'cancelled', readyAt: null, mergeKey: null, updatedAt: datetime()}
    WHEN 'running' THEN {cancelRequested: true, updatedAt: datetime()}
    ELSE {}
  END
RETURN j {
  .id, .kind, .tenantId, .namespaceId, .agentId, .sessionId, .status, .attempts, .maxAttempts, .fence, .payloadJson,
  .resultJson, .errorJson, .progressJson, .trigger, .cancelRequested, .createdById, .createdByKind,
  createdAt: toString(j.createdAt), updatedAt: toString(j.updatedAt)
} AS job
