// Partners of the platform may stream here as well.
/** @type {import("latchkey/lambdas").TwitchReconcile} */
function reconcile(user, registration, userInfo) {
  user.imageUrl = String(userInfo.profile_image_url);
  registration.username = String(userInfo.login);
  if (userInfo.broadcaster_type === "partner" && !registration.roles.includes("streamer")) registration.roles.push("streamer");
}
