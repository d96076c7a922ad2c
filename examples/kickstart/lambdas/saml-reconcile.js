function reconcile(user, registration, samlResponse) {
  const departments = samlResponse.assertion.attributes.department || [];
  registration.data.department = departments[0];
}
