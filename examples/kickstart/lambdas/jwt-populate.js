// Adds what our own services want to know to every access token.
function populate(jwt, user, registration) {
  jwt.name = user.fullName;
  jwt.locale = user.preferredLanguages && user.preferredLanguages[0];
  jwt.plan = registration && registration.data ? registration.data.plan : "free";
}
