// One secret for each purpose.
//
// mode    schema
// rows    none

CREATE CONSTRAINT secret_name IF NOT EXISTS FOR (s:Secret) REQUIRE s.name IS UNIQUE
