// The name of the player is shown in the game, and the language is the one that was chosen there.
/** @type {import("latchkey/lambdas").EpicGamesReconcile} */
function reconcile(user, registration, userInfo) {
  registration.username = String(userInfo.displayName);
  if (typeof userInfo.preferredLanguage === "string") registration.preferredLanguages = [userInfo.preferredLanguage];
}
