// Names and picture follow the provider; roles follow its groups.
/** @type {Record<string, string | undefined>} */
const rolesByGroup = { engineering: "editor", support: "reader" };

/** @type {import("latchkey/lambdas").OpenIDReconcile} */
function reconcile(user, registration, jwt, id_token, tokens) {
  const claims = id_token ?? jwt;
  user.firstName = claims.given_name;
  user.lastName = claims.family_name;
  user.imageUrl = claims.picture ?? user.imageUrl;
  user.data.provider = { issuer: claims.iss, subject: claims.sub, scope: tokens.scope };
  const groups = /** @type {string[]} */ (claims.groups ?? []);
  registration.roles = groups.flatMap((group) => rolesByGroup[group] ?? []);
}
