function populate(samlResponse, user, registration) {
  samlResponse.assertion.attributes.roles = registration ? registration.roles : [];
}
