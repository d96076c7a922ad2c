// The screen name becomes a link, and is no username: others may have it here.
/** @type {import("latchkey/lambdas").TwitterReconcile} */
function reconcile(user, registration, twitterUser) {
  user.fullName = String(twitterUser.name);
  user.data.profile = `https://twitter.com/${encodeURIComponent(String(twitterUser.screen_name))}`;
  registration.data.followers = twitterUser.followers_count;
}
