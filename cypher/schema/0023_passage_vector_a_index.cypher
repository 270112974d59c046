// Passages by their meaning, with every filter inside the index.
//
// Dimensions are left open, so that any model fits: a query meets only vectors of its own length. Vectors are kept whole:
// what a shortened one finds is less exact.
//
// mode    schema
// rows    none

CYPHER 25
CREATE VECTOR INDEX passage_vector_a IF NOT EXISTS
FOR (p:Passage) ON (p.embeddingA)
WITH [p.scopeKey, p.visibility, p.kind, p.agentToken, p.sessionToken]
OPTIONS {indexConfig: {`vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}}
