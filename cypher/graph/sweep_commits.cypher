// Nothing: what processes of past days left behind in their write lanes is gone.
//
// mode    write
// rows    none
// unscoped because lanes of every namespace age alike
// param   older_than_s integer  seconds since the lane's last commit

MATCH (c:Commit)
WHERE c.at < datetime() - duration({seconds: $older_than_s})
WITH c LIMIT 10000
DELETE c
