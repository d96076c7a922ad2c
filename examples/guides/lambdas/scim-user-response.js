/** @type {import("latchkey/lambdas").SCIMUserResponseConverter} */
function convert(scimUser, user) {
  scimUser.nickName ??= user.firstName;
}
