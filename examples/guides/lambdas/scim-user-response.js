/** @type {import("latchkey/lambda-types").SCIMUserResponseConverter} */
function convert(scimUser, user) {
  scimUser.nickName ??= user.firstName;
}
