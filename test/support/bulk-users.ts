import { globalScope } from "latchkey/ports";
import { usersTable } from "../../src/records/users/family.js";
import { type Answer, expectOk } from "./answer.js";
import { anybody } from "./logins.js";
import type { World } from "./world.js";

/** The application of imported users. */
export const applicationId = "00000000-0000-4000-8000-000000000700";

/** Makes the application. */
export async function makeShop({ caller }: World, fields: object = {}): Promise<void> {
  const loginConfiguration = { requireAuthentication: false, generateRefreshTokens: true };
  const roles = [{ name: "buyer", isDefault: true }, { name: "Seller" }];
  expectOk(
    await caller.post(`/api/application/${applicationId}`, {
      application: { name: "Shop", loginConfiguration, roles, ...fields },
    }),
  );
}

/** Imports users. */
export function importUsers(world: World, users: readonly object[], fields: object = {}): Promise<Answer> {
  return world.caller.post("/api/user/import", { users, ...fields });
}

/** The number of users. */
export async function countUsers({ storage }: World): Promise<number> {
  return (await storage.find(globalScope, usersTable, undefined)).length;
}

/** Logs in a user to the application. */
export const logInto = (world: World, loginId: string, password: string): Promise<Answer> =>
  anybody(world).post("/api/login", { loginId, password, applicationId });
