// The number of the namespace's last commit, if it has one.
//
// mode    read
// rows    maybe
// param   scope_key  string   the namespace
// column  seq        integer  raised by every commit

MATCH (n:Namespace {scopeKey: $scope_key})
RETURN n.seq AS seq
