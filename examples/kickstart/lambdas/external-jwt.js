function reconcile(user, registration, jwt) {
  user.data.legacyId = jwt.legacy_id;
}
