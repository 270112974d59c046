// Nothing: the namespace's write lock is held until the transaction ends, so no write of it commits meanwhile.
//
// What is written does not depend on the node, for the reason that cypher/write/take_lock gives.
//
// mode    write
// rows    none
// param   scope_key  string   the namespace

MATCH (n:Namespace {scopeKey: $scope_key})
SET n.lane = 'reader'
