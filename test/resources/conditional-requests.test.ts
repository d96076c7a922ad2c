import { describe, expect } from "vitest";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { familyCases, makeRecord, readRecord } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid } from "../support/world.js";

const strongTag = /^"[\w-]+"$/;

forEachStorage((start) => {
  describe.each(familyCases)("$name", (family) => {
    const { wrapper } = family;

    requirement("etag.strong", "carries the same strong ETag in each response with the record", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      const put = expectOk(await world.caller.put(made.path, made.request));
      expect(put.etag).toMatch(strongTag);
      if (family.hasGet) expect((await world.caller.get(made.path)).etag).toBe(put.etag);
      if (family.takesId) expect(made.answer.etag).toMatch(strongTag);
      world.clock.advance(1);
      const patched = expectOk(await world.caller.patch(made.path, { [wrapper]: {} }));
      expect(patched.etag).not.toBe(put.etag);
      if (family.hasGet) expect((await world.caller.get(made.path)).etag).toBe(patched.etag);
    });

    requirement("etag.if-match", "refuses PUT, PATCH and DELETE with a stale tag and stays as it was", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      const stale = expectOk(await world.caller.put(made.path, made.request)).etag;
      world.clock.advance(1);
      expectOk(await world.caller.put(made.path, made.request));
      const before = await readRecord(world, family, made);
      const calls: ((headers: Record<string, string>) => Promise<Answer>)[] = [
        (headers) => world.caller.put(made.path, made.request, headers),
        (headers) => world.caller.patch(made.path, { [wrapper]: {} }, headers),
        (headers) => world.caller.mergePatch(made.path, { [wrapper]: {} }, headers),
        (headers) => world.caller.jsonPatch(made.path, [], headers),
        (headers) => world.caller.delete(made.path + family.deleteQuery, undefined, headers),
        (headers) => world.caller.delete(made.path, undefined, headers),
      ];
      for (const call of calls)
        for (const tag of [stale, `${stale}, "another"`, "no-tag"])
          expectRefusal(await call({ "if-match": tag }), 412, "[preconditionFailed]");
      expect(await readRecord(world, family, made)).toEqual(before);
    });

    requirement("etag.if-match-fresh", "lets a fresh tag through, alone, in a list or as *, but no weak one", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      let { etag } = expectOk(await world.caller.put(made.path, made.request));
      for (const tag of [(fresh: string) => fresh, (fresh: string) => `"other", ${fresh}`, () => "*"])
        ({ etag } = expectOk(await world.caller.put(made.path, made.request, { "if-match": tag(etag) })));
      expectRefusal(await world.caller.put(made.path, made.request, { "if-match": `W/${etag}` }), 412, "[preconditionFailed]");
      ({ etag } = expectOk(await world.caller.patch(made.path, { [wrapper]: {} }, { "if-match": etag })));
      expectEmpty(await world.caller.delete(made.path + family.deleteQuery, undefined, { "if-match": etag }), 200);
      if (!family.isKeptByDelete) expectEmpty(await world.caller.put(made.path, made.request, { "if-match": "*" }), 404);
    });

    requirement("etag.if-match", "refuses a tag of what was never kept", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      const dry = expectOk(await world.caller.patch(`${made.path}?dryRun=true`, { [wrapper]: {} }));
      expect(dry.etag).toMatch(strongTag);
      world.clock.advance(1);
      expectOk(await world.caller.patch(made.path, { [wrapper]: {} }));
      expectRefusal(await world.caller.put(made.path, made.request, { "if-match": dry.etag }), 412, "[preconditionFailed]");
    });

    if (!family.hasGet) return;

    requirement("etag.if-none-match", "answers GET with an empty 304 while the caller's tag is the record's", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      const { etag, text } = await world.caller.get(made.path);
      for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const answer = await world.caller.get(made.path, { "if-none-match": tag });
        expect({ status: answer.status, text: answer.text, etag: answer.etag }).toEqual({ status: 304, text: "", etag });
      }
      expect((await world.caller.get(made.path, { "if-none-match": '"other"' })).text).toBe(text);
      world.clock.advance(1);
      expectOk(await world.caller.put(made.path, made.request));
      expect((await world.caller.get(made.path, { "if-none-match": etag })).status).toBe(200);
    });
  });

  requirement("etag.if-match", "refuses the tag of a record that had the same id before", async () => {
    const world = await start();
    const path = `/api/group/${uuid(1)}`;
    const first = expectOk(await world.caller.post(path, { group: { name: "First" } }));
    expectEmpty(await world.caller.delete(path), 200);
    const second = expectOk(await world.caller.post(path, { group: { name: "Other" } }));
    expect(second.etag).not.toBe(first.etag);
    expectRefusal(await world.caller.delete(path, undefined, { "if-match": first.etag }), 412, "[preconditionFailed]");
  });
});
