// The job of that id in the namespace; no row when there is none.
//
// mode    read
// rows    maybe
// param   scope_key     string  the namespace
// param   tenant_id     string  compared with the stored one
// param   namespace_id  string  likewise
// param   job_id        string  the job
// column  job           map     the job

MATCH (j:Job {id: $job_id})
WHERE j.scopeKey = $scope_key AND j.tenantId = $tenant_id AND j.namespaceId = $namespace_id
RETURN j {
  .id, .kind, .tenantId, .namespaceId, .agentId, .sessionId, .status, .attempts, .maxAttempts, .fence, .payloadJson,
  .resultJson, .errorJson, .progressJson, .trigger, .cancelRequested, .createdById, .createdByKind,
  createdAt: toString(j.createdAt), updatedAt: toString(j.updatedAt)
} AS job
