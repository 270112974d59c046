// The receipts of a namespace by time.
//
// mode    schema
// rows    none

CREATE INDEX receipt_list IF NOT EXISTS FOR (r:DeletionReceipt) ON (r.scopeKey, r.at)
