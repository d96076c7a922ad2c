// An access token that tells the app what it would otherwise ask for: plan, department, and a shorter life for administrators.
/** @type {import("latchkey/lambdas").JWTPopulate} */
function populate(jwt, user, registration, context) {
  jwt.department = user.data.department;
  jwt.plan = registration?.data.plan ?? "free";
  jwt.tenantName = context.tenant?.name;
  if (registration?.roles.includes("admin") && jwt.exp !== undefined && jwt.iat !== undefined)
    jwt.exp = Math.min(jwt.exp, jwt.iat + 600);
}
