// The schema files that were applied, by name and digest.
//
// mode    read
// rows    many
// unscoped because the schema belongs to the whole database
// column  name    string   the file
// column  digest  string   SHA-256 of its statement

MATCH (s:SchemaStep)
RETURN s.name AS name, s.digest AS digest
