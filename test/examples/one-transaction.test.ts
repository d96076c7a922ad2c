import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Kysely } from "kysely";
import type { IdentityService } from "latchkey";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type AppDatabase, createProject, listProjects, openService } from "../../examples/one-transaction.js";

const secret = "a secret of at least thirty-two characters";

describe("examples/one-transaction.ts", () => {
  let directory: string;
  let file: string;
  let identity: IdentityService<Kysely<AppDatabase>>;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "latchkey-example-"));
    file = join(directory, "app.db");
    identity = await openService(file, secret);
  });

  afterEach(async () => {
    await identity.close();
    await rm(directory, { recursive: true });
  });

  const groupNames = async (): Promise<readonly string[]> => (await identity.groups.list()).groups.map((group) => group.name);

  test("keeps a row of the app and a record of the service together, for good", async () => {
    const group = await createProject(identity, "Apollo");
    await identity.close();
    identity = await openService(file, secret);
    expect(await listProjects(identity)).toEqual(["Apollo"]);
    expect((await identity.groups.retrieve({ groupId: group.id })).group.name).toBe("Members of Apollo");
  });

  test("loses both when the app's row is refused", async () => {
    await createProject(identity, "Apollo");
    const { groups } = await identity.groups.list();
    await identity.groups.update({ groupId: groups[0]?.id ?? "", group: { name: "Renamed" } });
    await expect(createProject(identity, "Apollo")).rejects.toThrow(/unique/i);
    expect([await listProjects(identity), await groupNames()]).toEqual([["Apollo"], ["Renamed"]]);
  });

  test("loses both when the service's record is refused", async () => {
    await identity.groups.create({ group: { name: "Members of Gemini" } });
    const refused = identity.transaction(async (tx) => {
      await tx.db.insertInto("projects").values({ name: "Gemini", groupId: "none yet" }).execute();
      await tx.groups.create({ group: { name: "MEMBERS of gemini" } });
    });
    await expect(refused).rejects.toMatchObject({ code: "[duplicate]group.name" });
    expect([await listProjects(identity), await groupNames()]).toEqual([[], ["Members of Gemini"]]);
  });

  test("lets the app go on after a refusal that it expected", async () => {
    await createProject(identity, "Apollo");
    await identity.transaction(async (tx) => {
      await expect(tx.groups.create({ group: { name: "members of apollo" } })).rejects.toMatchObject({ status: 400 });
      await tx.db.insertInto("projects").values({ name: "Skylab", groupId: "none" }).execute();
    });
    expect(await listProjects(identity)).toEqual(["Apollo", "Skylab"]);
  });
});
