// Tokens of a partner are trusted for the name, and for the one role that partners have.
/** @type {import("latchkey/lambdas").ExternalJWTReconcile} */
function reconcile(user, registration, jwt) {
  user.fullName = jwt.name;
  user.data.partner = jwt.iss;
  registration.roles = ["partner"];
}
