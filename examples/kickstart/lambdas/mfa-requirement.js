function checkRequired(result, user, registration) {
  result.required = Boolean(registration && registration.roles.includes("editor"));
}
