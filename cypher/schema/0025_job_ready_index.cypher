// Jobs by the time from which a worker may take them, due and abandoned ones alike; final ones are not in it.
//
// mode    schema
// rows    none

CREATE INDEX job_ready IF NOT EXISTS FOR (j:Job) ON (j.readyAt)
