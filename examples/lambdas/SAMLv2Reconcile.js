// Attributes of the assertion become fields of the user; each may have several values.
/** @type {import("latchkey/lambdas").SAMLv2Reconcile} */
function reconcile(user, registration, samlResponse) {
  const { attributes } = samlResponse.assertion;
  /** @param {string} name */
  const first = (name) => attributes[name]?.[0];
  user.firstName = first("firstName") ?? user.firstName;
  user.lastName = first("lastName") ?? user.lastName;
  user.data.department = first("department");
  registration.roles = (attributes.groups ?? []).includes("writers") ? ["editor"] : ["reader"];
}
