// Nothing: jobs end in the transaction that writes what they made; one whose lease is lost is left alone.
//
// mode    write
// rows    none
// param   scope_key  string     the namespace, its lock held
// param   rows       list<map>  {id, fence, status, resultJson?, progressJson?} for each job

UNWIND $rows AS row
MATCH (j:Job {id: row.id})
WHERE j.scopeKey = $scope_key
SET j.lockedBy = row.id
WITH j, row
WHERE j.fence = row.fence AND j.status = 'running'
SET j.status = row.status, j.resultJson = row.resultJson, j.progressJson = coalesce(row.progressJson, j.progressJson),
  j.updatedAt = datetime()
REMOVE j.leaseOwner, j.leaseUntil, j.readyAt, j.errorJson, j.cancelRequested
