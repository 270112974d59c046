// One receipt for each id.
//
// mode    schema
// rows    none

CREATE CONSTRAINT receipt_id IF NOT EXISTS FOR (r:DeletionReceipt) REQUIRE r.id IS UNIQUE
