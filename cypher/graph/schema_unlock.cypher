// Nothing: the schema lock is free again if the caller held it.
//
// mode    write
// rows    none
// unscoped because the schema belongs to the whole database
// param   owner   string   the process that held it

MATCH (l:SchemaLock {name: 'schema', owner: $owner})
REMOVE l.owner, l.until
