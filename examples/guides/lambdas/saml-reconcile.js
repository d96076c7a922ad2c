function reconcile(user, registration, samlResponse, context) {
  const { attributes } = samlResponse.assertion;
  user.firstName = attributes.firstName?.[0];
  registration.data = { groups: attributes.roles ?? [] };
}
