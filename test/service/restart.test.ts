import { StorageUnavailable } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect } from "vitest";
import { expectEmpty, expectOk } from "../support/answer.js";
import { makeGroup } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { watchStorage } from "../support/watched-storage.js";
import { makeTenant, readEvents, startWorld } from "../support/world.js";

describe("a restart on a SQLite file", () => {
  requirement("tenant.delete-async", "takes up the removal of a tenant that was promised and not done", async () => {
    const filename = `${makeDirectory()}/identity.db`;
    let transactionsLeft = Number.POSITIVE_INFINITY;
    // The process dies, so to speak, after the promise is kept: nothing more is written.
    const dying = watchStorage(sqliteStorage({ filename }), {
      beforeCall: (call) => {
        if (call === "transaction" && --transactionsLeft < 0) throw new StorageUnavailable("The process is dying.");
      },
    });
    const first = await startWorld(dying);
    const tenantId = await makeTenant(first, "Going");
    await makeGroup(first, tenantId, "G");
    transactionsLeft = 1;
    expectEmpty(await first.caller.delete(`/api/tenant/${tenantId}?async=true`), 202);
    expect((await first.caller.get(`/api/tenant/${tenantId}`)).at("tenant.state")).toBe("PendingDelete");
    await first.identity.close();
    expect(first.log.map((line) => line.message)).toContain("housekeeping failed");

    const second = await startWorld(sqliteStorage({ filename }));
    await second.identity.close();
    const third = await startWorld(sqliteStorage({ filename }));
    expect((await third.caller.get("/api/tenant")).each("tenants", "name")).toEqual(["Default"]);
    expect((await third.caller.get("/api/group")).at("groups")).toEqual([]);
  });

  requirement(["service.outbox", "etag.strong"], "finds records, their tags and the outbox as they were", async () => {
    const filename = `${makeDirectory()}/identity.db`;
    const first = await startWorld(sqliteStorage({ filename }));
    const path = `/api/group/${await makeGroup(first, first.defaultTenantId, "Gruppe Ä 🙂")}`;
    const before = await first.caller.get(path);
    const events = await readEvents(first.storage);
    await first.identity.close();
    const second = await startWorld(sqliteStorage({ filename }));
    const after = expectOk(await second.caller.get(path));
    expect({ text: after.text, etag: after.etag }).toEqual({ text: before.text, etag: before.etag });
    expect(await readEvents(second.storage)).toEqual(events);
  });
});
