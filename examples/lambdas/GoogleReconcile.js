// People of one's own domain are editors, everybody else is a reader.
const ownDomain = "provider.example";

/** @type {import("latchkey/lambdas").GoogleReconcile} */
function reconcile(user, registration, idToken) {
  user.fullName = idToken.name;
  user.imageUrl = idToken.picture;
  if (idToken.locale !== undefined) user.preferredLanguages = [idToken.locale.slice(0, 2)];
  registration.roles = [idToken.hd === ownDomain ? "editor" : "reader"];
}
