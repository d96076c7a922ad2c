const enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

const intranet = "b0000000-0000-4000-8000-000000000002";

// The address that is marked as primary counts; the extension of enterprises becomes metadata.
/** @type {import("latchkey/lambdas").SCIMUserRequestConverter} */
function convert(user, options, scimUser) {
  user.username = scimUser.userName;
  user.email = (scimUser.emails?.find(({ primary }) => primary) ?? scimUser.emails?.[0])?.value;
  user.firstName = scimUser.name?.givenName;
  user.lastName = scimUser.name?.familyName;
  user.active = scimUser.active ?? true;
  user.data.enterprise = scimUser[enterprise];
  if (scimUser.userType === "Employee") options.applicationId = intranet;
}
