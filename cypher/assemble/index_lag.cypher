// How far the vectors of a namespace are behind its writes.
//
// mode    read
// rows    one
// param   scope_key  string   the namespace
// param   up_to      integer  the number of a commit; null: the latest
// column  head       integer  the number of the commit that is looked at
// column  waiting    boolean  whether something up to that commit still waits for its vector
// column  failed     boolean  whether the model failed on something

OPTIONAL MATCH (n:Namespace {scopeKey: $scope_key})
WITH coalesce($up_to, n.seq, 0) AS head
RETURN head,
  EXISTS { MATCH (p:Passage {pendingScope: $scope_key}) WHERE p.pendingSeq <= head } AS waiting,
  EXISTS { (:Passage {failedScope: $scope_key}) } AS failed
