// The picture stands deep inside of what Facebook answers.
/** @type {import("latchkey/lambdas").FacebookReconcile} */
function reconcile(user, registration, facebookUser) {
  user.firstName = String(facebookUser.first_name ?? "");
  user.lastName = String(facebookUser.last_name ?? "");
  const picture = /** @type {{ data?: { url?: string } } | undefined} */ (facebookUser.picture);
  user.imageUrl = picture?.data?.url ?? user.imageUrl;
  registration.data.facebookId = facebookUser.id;
}
