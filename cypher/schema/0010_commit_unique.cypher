// One last commit for each write lane.
//
// mode    schema
// rows    none

CREATE CONSTRAINT commit_lane IF NOT EXISTS FOR (c:Commit) REQUIRE c.lane IS UNIQUE
