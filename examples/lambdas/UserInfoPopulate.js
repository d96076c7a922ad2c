// The userinfo endpoint answers what apps show of somebody, and less than there is.
/** @type {import("latchkey/lambdas").UserInfoPopulate} */
function populate(userInfo, user, registration, jwt) {
  userInfo.picture = user.imageUrl;
  userInfo.plan = registration?.data.plan;
  userInfo.token_id = jwt.jti;
  delete userInfo.birthdate;
}
