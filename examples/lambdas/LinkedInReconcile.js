// Names come localised, the address by itself.
/** @type {import("latchkey/lambdas").LinkedInReconcile} */
function reconcile(user, registration, linkedInUser) {
  user.fullName = [linkedInUser.localizedFirstName, linkedInUser.localizedLastName].filter(Boolean).join(" ");
  registration.data.workEmail = linkedInUser.emailAddress;
}
