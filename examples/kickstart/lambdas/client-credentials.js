// Tells the called service who calls.
function populate(jwt, recipientEntity, targetEntities) {
  jwt.caller = recipientEntity.name;
  jwt.targets = targetEntities.map((entity) => entity.id);
}
