// The number of the namespace's last commit, with its write lock held until the transaction ends.
//
// Nothing changes: setting a property to itself takes the lock, so no write of the namespace commits meanwhile.
//
// mode    write
// rows    maybe
// param   scope_key  string   the namespace
// column  seq        integer  raised by every commit

MATCH (n:Namespace {scopeKey: $scope_key})
SET n.seq = n.seq
RETURN n.seq AS seq
