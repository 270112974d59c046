// The schema lock, if the caller holds it now.
//
// A lock is free when it has no owner or its lease ran out; the holder renews it by asking again.
//
// mode    write
// rows    maybe
// unscoped because the schema belongs to the whole database
// param   owner   string   the process that asks
// param   lease_s integer  seconds until a silent holder loses it
// column  owner   string   the caller

MERGE (l:SchemaLock {name: 'schema'})
// Writing first takes the write lock, so two processes cannot both see it free.
SET l.asked = $owner
WITH l
WHERE l.owner IS NULL OR l.owner = $owner OR l.until < datetime()
SET l.owner = $owner, l.until = datetime() + duration({seconds: $lease_s})
RETURN l.owner AS owner
