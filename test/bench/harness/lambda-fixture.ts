/** A lambda as people write them, and what it is given: 2 kB of JSON in, 0.8 kB out. */

export const body = `
const prefix = "plan:";
function roleNames(registration) {
  return (registration.roles || []).map((role) => role.toLowerCase());
}
function populate(jwt, user, registration, context) {
  const roles = roleNames(registration);
  jwt.displayName = user.firstName + " " + user.lastName;
  jwt.plan = prefix + user.data.plan;
  jwt.permissions = roles.flatMap((role) => [role + ":read", role + ":write"]);
  jwt.tenantName = context.tenant.name;
  jwt.preferences = { ...user.data.preferences, color: registration.data.color };
}
`;

export const functionName = "populate";
export const parameters: readonly string[] = ["jwt", "user", "registration", "context"];
export const changes: readonly string[] = ["jwt"];

const id = (digit: number): string => `00000000-0000-4000-8000-${String(digit).repeat(12)}`;

const jwt = {
  applicationId: id(1),
  aud: id(1),
  auth_time: 1_700_000_000,
  authenticationType: "PASSWORD",
  email: "ada@example.com",
  email_verified: true,
  exp: 1_700_003_600,
  iat: 1_700_000_000,
  iss: "id.example.com",
  jti: id(2),
  preferred_username: "ada",
  roles: ["Editor", "Reviewer"],
  scope: "openid offline_access",
  sid: id(3),
  sub: id(4),
  tid: id(5),
  tty: "at",
};

const user = {
  active: true,
  birthDate: "1985-12-10",
  data: {
    department: "Analytical engines",
    notes:
      "People who may change articles, pictures and captions, but who may not publish them without a second pair of eyes. ".repeat(
        5,
      ),
    plan: "gold",
    preferences: { currency: "EUR", density: "compact", theme: "dark" },
  },
  email: "ada@example.com",
  firstName: "Ada",
  fullName: "Ada Example",
  id: id(4),
  insertInstant: 1_600_000_000_000,
  lastName: "Example",
  lastUpdateInstant: 1_650_000_000_000,
  mobilePhone: "+49 30 1234567",
  preferredLanguages: ["en", "de"],
  tenantId: id(5),
  timezone: "Europe/Berlin",
  username: "ada",
  verified: true,
};

const registration = {
  applicationId: id(1),
  data: { color: "green", source: "invitation" },
  id: id(6),
  insertInstant: 1_600_000_000_000,
  roles: ["Editor", "Reviewer"],
  verified: true,
};

const context = { application: { data: {}, id: id(1), name: "Newsroom" }, tenant: { data: {}, id: id(5), name: "Default" } };

export const argumentsJson: string = JSON.stringify({ jwt, user, registration, context });

/** Throws unless the changed arguments are those that the body makes. */
export const checkChanged = (changedJson: string): void => {
  const { plan, tenantName } = JSON.parse(changedJson).jwt;
  if (plan !== "plan:gold" || tenantName !== "Default") throw new Error(`a wrong result: ${changedJson.slice(0, 200)}`);
};
