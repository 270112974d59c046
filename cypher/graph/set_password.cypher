// Nothing: the user who asks has a new password.
//
// mode    write
// rows    none
// unscoped because users belong to the whole server
// param   old  string  the present password
// param   new  string  the next one

ALTER CURRENT USER SET PASSWORD FROM $old TO $new
