const enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const shop = "40000000-0000-4000-8000-000000000001";

/** @type {import("latchkey/lambdas").SCIMUserRequestConverter} */
function convert(user, options, scimUser) {
  user.data.costCenter = scimUser[enterprise]?.costCenter;
  if (scimUser.userType === "Employee") options.applicationId = shop;
}
