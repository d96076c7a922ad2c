// A second factor for administrators, and for whoever comes in a suspicious way.
/** @type {import("latchkey/lambdas").MFARequirement} */
function checkRequired(result, user, registration, context) {
  const isAdministrator = registration?.roles.includes("admin") ?? false;
  const isSuspicious = context.clientRisk?.status === "HIGH" || (context.authenticationThreats ?? []).length > 0;
  if (isAdministrator || isSuspicious) result.required = true;
  result.sendSuspiciousLoginEvent = isSuspicious;
}
