// Receipts of deletions, newest first.
//
// mode    read
// rows    many
// param   scope_key  string    the namespace
// param   id         string    one receipt; null: all
// param   before     string    only those made before that time; null: from the newest on
// param   most       integer   most receipts
// column  receipt    map       everything stored of it

MATCH (r:DeletionReceipt {scopeKey: $scope_key})
WHERE ($id IS NULL OR r.id = $id) AND ($before IS NULL OR r.at < datetime($before))
RETURN r { .*, at: toString(r.at) } AS receipt
ORDER BY r.at DESC
LIMIT $most
