/** @type {import("latchkey/lambdas").JWTPopulate} */
function populate(jwt, user, registration, context) {
  jwt.department = user.data.department;
  jwt.plan = registration?.data.plan ?? "free"; // registration is undefined when the user has none
}
