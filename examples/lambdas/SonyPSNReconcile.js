// Minors get a role of their own.
/** @type {import("latchkey/lambdas").SonyPSNReconcile} */
function reconcile(user, registration, userInfo) {
  registration.username = String(userInfo.online_id);
  registration.roles = [Number(userInfo.age) >= 18 ? "player" : "minor"];
  user.data.country = userInfo.country_code;
}
