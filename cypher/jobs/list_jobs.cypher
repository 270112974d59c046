// Jobs of a namespace, newest first.
//
// Index: job_list, in its order, so that a page costs its own length unless a filter leaves most out. A CASE and no OR:
// that would be read as two ranges, each whole and without its order.
//
// mode    read
// rows    many
// param   scope_key     string   the namespace
// param   tenant_id     string   compared with the stored one
// param   namespace_id  string   likewise
// param   agent_id      string   narrows to one agent, or null
// param   session_id    string   narrows to one session, or null
// param   status        string   narrows to one status, or null
// param   kind          string   narrows to one kind, or null
// param   before_at     string   the time of the last job that was read
// param   before_id     string   its id
// param   most          integer  the length of the page
// column  job           map      the job

MATCH (j:Job {scopeKey: $scope_key})
WHERE j.createdAt <= datetime($before_at)
  AND CASE WHEN j.createdAt = datetime($before_at) THEN j.id < $before_id ELSE true END
  AND j.tenantId = $tenant_id AND j.namespaceId = $namespace_id
  AND ($agent_id IS NULL OR j.agentId = $agent_id)
  AND ($session_id IS NULL OR j.sessionId = $session_id)
  AND ($status IS NULL OR j.status = $status)
  AND ($kind IS NULL OR j.kind = $kind)
WITH j
ORDER BY j.scopeKey DESC, j.createdAt DESC, j.id DESC
LIMIT $most
RETURN j {
  .id, .kind, .tenantId, .namespaceId, .agentId, .sessionId, .status, .attempts, .maxAttempts, .fence, .payloadJson,
  .resultJson, .errorJson, .progressJson, .trigger, .cancelRequested, .createdById, .createdByKind,
  createdAt: toString(j.createdAt), updatedAt: toString(j.updatedAt)
} AS job
