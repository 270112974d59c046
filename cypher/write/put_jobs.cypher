// Nothing: jobs are queued; one whose merge key is queued already joins that one.
//
// Joining takes the lock of the queued job until this commit, so that no worker claims it before it can see what this
// commit adds. Should a worker have claimed it first, the wait for the lock shows it as no longer queued, and a new job
// is made after all.
//
// mode    write
// rows    none
// param   scope_key  string     the namespace, its lock held
// param   rows       list<map>  {key, createdAt, runAfter?, job} for each; key is the merge key, else the job's id

UNWIND $rows AS row
MERGE (joined:Job {mergeKey: row.key})
ON CREATE SET joined += row.job, joined.scopeKey = $scope_key, joined.status = 'queued', joined.attempts = 0,
  joined.fence = 0, joined.createdAt = datetime(row.createdAt), joined.updatedAt = datetime(row.createdAt),
  joined.runAfter = coalesce(datetime(row.runAfter), datetime()),
  joined.readyAt = coalesce(datetime(row.runAfter), datetime())
ON MATCH SET joined.lockedBy = row.job.id
WITH row, joined
WHERE joined.status <> 'queued'
MERGE (made:Job {mergeKey: row.key})
ON CREATE SET made += row.job, made.scopeKey = $scope_key, made.status = 'queued', made.attempts = 0,
  made.fence = 0, made.createdAt = datetime(row.createdAt), made.updatedAt = datetime(row.createdAt),
  made.runAfter = coalesce(datetime(row.runAfter), datetime()),
  made.readyAt = coalesce(datetime(row.runAfter), datetime())
ON MATCH SET made.lockedBy = row.job.id
