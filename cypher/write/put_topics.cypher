// Nothing: memories are filed under their topics; a topic keeps the spelling of whoever named it first.
//
// mode    write
// rows    none
// param   scope_key  string     the namespace, its lock held
// param   rows       list<map>  {id, key, name, position} for each memory and topic

UNWIND $rows AS row
MATCH (m:Memory {scopeKey: $scope_key, id: row.id})
MERGE (t:Topic {scopeKey: $scope_key, key: row.key})
ON CREATE SET t.name = row.name
CREATE (m)-[:ABOUT {position: row.position}]->(t)
