// Requests of a directory to the SCIM server of a tenant.
import { convert } from "../../scim/support/converters.js";
import { createGroup, createUser, expectStatus, startDirectory } from "../../scim/support/directory.js";
import { expectOk } from "../../support/answer.js";
import { start } from "./start.js";

/** A direction of conversion: what a client sends, or what it receives. */
type Direction = "Request" | "Response";

/** What the converter made of a new user: of the stored record, or of the answer. */
export async function provisionUser(direction: Direction, statements: string): Promise<unknown> {
  const { call, world } = await startDirectory(start);
  await convert(world, "User", direction, statements);
  const id = await createUser(call, "ann");
  if (direction === "Response") return (await expectStatus(call("GET", `/Users/${id}`), 200)).title;
  return expectOk(await world.caller.get(`/api/user/${id}`)).at("user.data.mark");
}

/** What the converter made of the name of a new group. */
export async function provisionGroup(direction: Direction, statements: string): Promise<unknown> {
  const { call, world } = await startDirectory(start);
  await convert(world, "Group", direction, statements);
  const id = await createGroup(call, "Crew");
  if (direction === "Response") return (await expectStatus(call("GET", `/Groups/${id}`), 200)).displayName;
  return expectOk(await world.caller.get(`/api/group/${id}`)).at("group.name");
}
