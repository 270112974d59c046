// Events of a namespace are dense and never share a place.
//
// mode    schema
// rows    none

CREATE CONSTRAINT event_position IF NOT EXISTS FOR (e:Event) REQUIRE (e.scopeKey, e.eventSeq) IS UNIQUE
