// Apple tells a name with the first login alone: what is known already stays. Addresses that Apple made up are marked.
/** @type {import("latchkey/lambdas").AppleReconcile} */
function reconcile(user, registration, idToken) {
  user.firstName ??= idToken.given_name;
  user.lastName ??= idToken.family_name;
  user.data.hasPrivateEmail = idToken.is_private_email === "true";
  registration.data.appleSubject = idToken.sub;
}
