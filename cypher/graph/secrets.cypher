// The shared secret of one purpose, made by whoever asks first.
//
// mode    write
// rows    one
// unscoped because the keys serve every namespace
// param   name    string   the purpose
// param   fresh   string   the value to keep if there is none yet
// column  value   string   the value all processes use

MERGE (s:Secret {name: $name})
ON CREATE SET s.value = $fresh, s.at = datetime()
RETURN s.value AS value
