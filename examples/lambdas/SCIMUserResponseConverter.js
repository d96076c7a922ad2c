// A user as SCIM names the fields (RFC 7643, 4.1).
/** @type {import("latchkey/lambdas").SCIMUserResponseConverter} */
function convert(scimUser, user) {
  scimUser.userName = user.username ?? user.email ?? user.id;
  scimUser.active = user.active;
  scimUser.name = { givenName: user.firstName, familyName: user.lastName, formatted: user.fullName };
  scimUser.emails = user.email === undefined ? [] : [{ value: user.email, type: "work", primary: true }];
}
