// Nothing: one schema file is recorded as applied.
//
// mode    write
// rows    none
// unscoped because the schema belongs to the whole database
// param   name    string   the file
// param   digest  string   SHA-256 of its statement
// param   version string   the release that applied it

MERGE (s:SchemaStep {name: $name})
SET s.digest = $digest, s.version = $version, s.at = datetime()
