// Nothing: deletions have their receipts, which name memories and hold none of them.
//
// mode    write
// rows    none
// param   scope_key  string     the namespace, its lock held
// param   rows       list<map>  {id, at, ...} for each receipt

UNWIND $rows AS row
CREATE (r:DeletionReceipt)
SET r = row, r.scopeKey = $scope_key, r.at = datetime(row.at)
