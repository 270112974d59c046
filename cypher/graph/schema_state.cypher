// Every index of the database and whether it can be used.
//
// mode    read
// rows    many
// unscoped because the schema belongs to the whole database
// column  name    string   the index
// column  state   string   ONLINE, POPULATING or FAILED
// column  percent float    how far it is filled

SHOW INDEXES YIELD name, state, populationPercent
RETURN name, state, populationPercent AS percent
