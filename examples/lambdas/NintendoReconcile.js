// A birthday is taken over only when there is none yet.
/** @type {import("latchkey/lambdas").NintendoReconcile} */
function reconcile(user, registration, userInfo) {
  user.birthDate ??= String(userInfo.birthday);
  registration.data.nickname = userInfo.nickname;
}
