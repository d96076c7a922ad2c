// An attribute with one value is a text, one with several is a list.
/** @param {string | string[] | undefined} value */
const all = (value) => (value === undefined ? [] : [value].flat());

/** @type {import("latchkey/lambdas").LDAPConnectorReconcile} */
function reconcile(user, userAttributes) {
  user.firstName = all(userAttributes.givenName)[0];
  user.lastName = all(userAttributes.sn)[0];
  user.email = all(userAttributes.mail)[0];
  user.data.groups = all(userAttributes.memberOf).map((name) => /^cn=([^,]+)/.exec(name)?.[1] ?? name);
}
