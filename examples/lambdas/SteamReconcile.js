// A real name is shown by those alone who want it.
/** @type {import("latchkey/lambdas").SteamReconcile} */
function reconcile(user, registration, userInfo) {
  user.fullName = String(userInfo.realname ?? userInfo.personaname);
  user.imageUrl = String(userInfo.avatarfull);
  registration.data.steamId = userInfo.steamid;
}
