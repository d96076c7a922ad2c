// What a service provider is told of somebody who logs in here.
/** @type {import("latchkey/lambdas").SAMLv2Populate} */
function populate(samlResponse, user, registration) {
  const { attributes } = samlResponse.assertion;
  attributes.displayName = [user.fullName ?? user.email ?? user.id];
  attributes.roles = registration?.roles ?? [];
}
