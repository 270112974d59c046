// One row, if the database answers.
//
// mode    read
// rows    one
// unscoped because it reads nothing
// column  ok  integer  always 1

RETURN 1 AS ok
