import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import {
  callerFor,
  familyCases,
  makeRecord,
  pathWithoutId,
  postRecord,
  readRecord,
  withoutGenerated,
} from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid } from "../support/world.js";

const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

forEachStorage((start) => {
  describe.each(familyCases)("$name", (family) => {
    const { wrapper, idParameter } = family;

    requirement(["record.instants", "record.id-generated"], "gives a new record an id and two equal instants", async () => {
      const world = await start();
      const { answer } = await makeRecord(world, family);
      expect(answer.textAt(`${wrapper}.id`)).toMatch(uuidShape);
      expect(answer.at(`${wrapper}.insertInstant`)).toBe(world.clock.instant);
      expect(answer.at(`${wrapper}.lastUpdateInstant`)).toBe(world.clock.instant);
    });

    requirement("record.last-update", "moves lastUpdateInstant with PUT and PATCH and keeps insertInstant", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      const inserted = made.answer.at(`${wrapper}.insertInstant`);
      for (const change of [
        () => world.caller.put(made.path, made.request),
        () => world.caller.patch(made.path, { [wrapper]: {} }),
      ]) {
        const now = world.clock.advance(1_000);
        const answer = expectOk(await change());
        expect(answer.at(`${wrapper}.lastUpdateInstant`)).toBe(now);
        expect(answer.at(`${wrapper}.insertInstant`)).toBe(inserted);
      }
    });

    requirement("record.unknown-properties", "ignores unknown properties on POST, PUT and PATCH, but for API keys", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      const unknown = { surprise: "x", another: { deep: [1] } };
      const body = (number: number): object => {
        const request = made.body(number);
        return { ...request, [wrapper]: { ...request[wrapper], ...unknown }, ...unknown };
      };
      if (wrapper === "apiKey") {
        // A limit that is misspelt would grant more.
        const before = await readRecord(world, family, made);
        expect((await world.caller.put(made.path, body(1))).text).toContain("[unknown]apiKey.surprise");
        return expect(await readRecord(world, family, made)).toEqual(before);
      }
      expectOk(await world.caller.put(made.path, body(1)));
      expectOk(await world.caller.patch(made.path, { [wrapper]: unknown }));
      expectOk(await world.caller.mergePatch(made.path, { [wrapper]: unknown, ...unknown }));
      const add = { op: "add", path: `/${wrapper}/surprise`, value: "x" };
      const patched = expectOk(await world.caller.jsonPatch(made.path, [add]));
      const texts = [patched.text, JSON.stringify(await readRecord(world, family, made))];
      if (family.takesId) texts.push(expectOk(await world.caller.post(made.collection, body(2))).text);
      for (const text of texts) expect(text).not.toMatch(/surprise|another/);
    });

    requirement(["record.immutable", "record.id-in-body"], "keeps id, tenant and instants with any body", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      const wanted = { id: uuid(77), insertInstant: 1, lastUpdateInstant: 2, tenantId: uuid(78) };
      const before = made.answer.at(wrapper) as Record<string, unknown>;
      const body = { ...made.request, [wrapper]: { ...made.request[wrapper], ...wanted } };
      const answers = [
        await world.caller.put(made.path, body),
        await world.caller.patch(made.path, { [wrapper]: wanted }),
        await world.caller.mergePatch(made.path, { [wrapper]: wanted }),
      ];
      for (const answer of answers)
        for (const member of Object.keys(wanted) as (keyof typeof wanted)[])
          expect(expectOk(answer).at(`${wrapper}.${member}`)).toBe(before[member]);
    });

    requirement("record.not-found", "answers 404 without a body for an unknown id, with any request body", async () => {
      const world = await start();
      const place = await family.arrange(world, world.defaultTenantId);
      const path = place.url(uuid(99));
      if (family.hasGet) expectEmpty(await world.caller.get(path), 404);
      for (const body of [place.body(1), {}, { [wrapper]: { name: 7 } }]) {
        expectEmpty(await world.caller.put(path, body), 404);
        expectEmpty(await world.caller.patch(path, body), 404);
        expectEmpty(await world.caller.mergePatch(path, body), 404);
      }
      expectEmpty(await world.caller.jsonPatch(path, []), 404);
      expectEmpty(await world.caller.delete(path + family.deleteQuery), 404);
    });

    requirement("record.delete", "removes a record once: 200 without a body, then 404", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      expectEmpty(await world.caller.delete(made.path + family.deleteQuery), 200);
      if (family.isKeptByDelete) return void expectOk(await world.caller.get(made.path));
      expectEmpty(await world.caller.delete(made.path + family.deleteQuery), 404);
      if (family.hasGet) expectEmpty(await world.caller.get(made.path), 404);
    });

    requirement(["record.put-valid", "errors.empty-body"], "refuses a PUT without its wrapper or with a bad one", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      const before = await readRecord(world, family, made);
      for (const wrong of ["text", 1, true, []])
        expectRefusal(await world.caller.put(made.path, { [wrapper]: wrong }), 400, `[invalidJSON]${wrapper}`);
      // Nothing is required of an API key, so there PUT without a body means one with defaults.
      if (family.name !== "apiKeys")
        for (const body of [undefined, {}, { [wrapper]: null }])
          expectRefusal(await world.caller.put(made.path, body), 400, `[missing]${wrapper}`);
      expect(await readRecord(world, family, made)).toEqual(before);
    });

    requirement("record.id-malformed", "refuses a malformed id in path and query with [couldNotConvert]", async () => {
      const world = await start();
      const place = await family.arrange(world, world.defaultTenantId);
      const code = `[couldNotConvert]${idParameter}`;
      for (const id of ["7", "not-a-uuid", `${uuid(1)}0`, "%00", "%E0%A4%A", "..%2F"]) {
        const path = family.takesId ? place.url(id) : `/api/user/registration/${id}/${uuid(1)}`;
        if (family.hasGet) expectRefusal(await world.caller.get(path), 400, code);
        expectRefusal(await world.caller.put(path, place.body(1)), 400, code);
        expectRefusal(await world.caller.patch(path, {}), 400, code);
        expectRefusal(await world.caller.delete(path), 400, code);
      }
      if (family.takesId) expectRefusal(await world.caller.post(`${place.collection}/x`, place.body(1)), 400, code);
      const query = family.takesId ? pathWithoutId(place) : "/api/user/registration";
      expectRefusal(await world.caller.put(`${query}?${idParameter}=x`, place.body(1)), 400, code);
    });

    requirement("record.id-missing", "refuses PUT, PATCH and DELETE without an id with [missing]", async () => {
      const world = await start();
      const place = await family.arrange(world, world.defaultTenantId);
      const path = family.takesId ? pathWithoutId(place) : "/api/user/registration";
      const code = `[missing]${idParameter}`;
      expectRefusal(await world.caller.put(path, place.body(1)), 400, code);
      expectRefusal(await world.caller.patch(path, place.body(1)), 400, code);
      expectRefusal(await world.caller.delete(path), 400, code);
    });
  });

  describe.each(familyCases.filter((family) => family.takesId))("$name with ids of the caller's", (family) => {
    const { wrapper, idParameter } = family;

    requirement(["record.id-supplied", "record.id-syntax"], "uses any UUID, in lower case", async () => {
      const world = await start();
      const place = await family.arrange(world, world.defaultTenantId);
      const ids = ["00000000-0000-0001-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF", uuid(5)];
      for (const [number, id] of ids.entries()) {
        const answer = expectOk(await world.caller.post(`${place.collection}/${id}`, place.body(number)));
        expect(answer.at(`${wrapper}.id`)).toBe(id.toLowerCase());
        if (family.hasGet) expectOk(await world.caller.get(place.url(id)));
      }
    });

    requirement("record.id-taken", "refuses a taken id with [duplicate] and leaves the record alone", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      const before = await readRecord(world, family, made);
      const answer = await callerFor(world, family).post(`${made.collection}/${made.id.toUpperCase()}`, made.body(2));
      expectRefusal(answer, 400, `[duplicate]${idParameter}`);
      expect(await readRecord(world, family, made)).toEqual(before);
    });

    requirement("record.id-in-body", "ignores an id inside the body of POST", async () => {
      const world = await start();
      const place = await family.arrange(world, world.defaultTenantId);
      const withId = (number: number): object => ({ [wrapper]: { ...place.body(number)[wrapper], id: uuid(66) } });
      expect(expectOk(await world.caller.post(place.collection, withId(1))).at(`${wrapper}.id`)).not.toBe(uuid(66));
      const path = `${place.collection}/${uuid(5)}`;
      expect(expectOk(await world.caller.post(path, withId(2))).at(`${wrapper}.id`)).toBe(uuid(5));
    });

    requirement("record.id-in-query", "takes the id from the query as well", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      const path = `${pathWithoutId(made)}?${idParameter}=${made.id}`;
      expectOk(await world.caller.put(path, made.request));
      expectOk(await world.caller.patch(path, { [wrapper]: {} }));
      if (family.hasGet) expect((await world.caller.get(path)).at(`${wrapper}.id`)).toBe(made.id);
      expectEmpty(await world.caller.delete(path + family.deleteQuery.replace("?", "&")), 200);
      const answer = await world.caller.post(`${made.collection}?${idParameter}=${uuid(8)}`, made.body(3));
      expect(expectOk(answer).at(`${wrapper}.id`)).toBe(uuid(8));
    });

    requirement("record.put-replaces", "replaces the whole record with PUT", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      const other = await postRecord(world, family, made, world.defaultTenantId, 3);
      const bare = (number: number): object => ({
        [wrapper]: Object.fromEntries(family.requiredFields.map((key) => [key, made.body(number)[wrapper]?.[key]])),
      });
      const replaced = expectOk(await world.caller.put(other.path, bare(4))).at(wrapper) as object;
      const created = await callerFor(world, family).post(made.collection, bare(5));
      const fresh = expectOk(created).at(wrapper) as object;
      const required = Object.fromEntries(family.requiredFields.map((key) => [key, ""]));
      const own = { id: "", key: "", identities: "", tenantId: "", ...required };
      const comparable = (record: object): object => ({ ...withoutGenerated(family, record), ...own });
      expect(comparable(replaced)).toEqual(comparable(fresh));
    });
  });
});
