// A service is told where what it may use stands, so that it need not ask. Of what is another tenant's nothing but the id is known.
/** @type {import("latchkey/lambdas").ClientCredentialsJWTPopulate} */
function populate(jwt, recipientEntity, targetEntities, permissions) {
  jwt.client = recipientEntity.name;
  jwt.regions = targetEntities.map((entity) => entity.data?.region);
  jwt.mayWrite = Object.values(permissions).some((names) => names.includes("write"));
}
