function populate(samlResponse, user, registration, context) {
  samlResponse.assertion.attributes.groups = registration.data?.groups ?? [];
}
