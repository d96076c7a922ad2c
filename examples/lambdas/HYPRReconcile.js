// There is nothing to learn of the user but how the login was made.
/** @type {import("latchkey/lambdas").HYPRReconcile} */
function reconcile(user, registration) {
  user.data.lastLoginBy = "HYPR";
  registration.data.hasPasswordless = true;
}
