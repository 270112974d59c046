// The live notes of a namespace, without reading its other memories.
//
// mode    schema
// rows    none

CREATE INDEX note_scope IF NOT EXISTS FOR (m:Memory) ON (m.noteScope)
