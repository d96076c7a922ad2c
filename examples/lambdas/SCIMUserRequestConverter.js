const enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

// The address that is marked as primary counts; the extension of enterprises becomes metadata.
/** @type {import("latchkey/lambda-types").SCIMUserRequestConverter} */
function convert(user, options, scimUser) {
  user.username = scimUser.userName;
  user.email = (scimUser.emails?.find(({ primary }) => primary) ?? scimUser.emails?.[0])?.value;
  user.firstName = scimUser.name?.givenName;
  user.lastName = scimUser.name?.familyName;
  user.active = scimUser.active ?? true;
  user.data.enterprise = scimUser[enterprise];
  options.sendSetPasswordEmail = true;
}
