// One node for each tenant and namespace: it is the write lock.
//
// mode    schema
// rows    none

CREATE CONSTRAINT namespace_scope_key IF NOT EXISTS FOR (n:Namespace) REQUIRE n.scopeKey IS UNIQUE
