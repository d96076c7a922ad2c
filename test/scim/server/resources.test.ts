// RFC 7643 and 7644 on single resources: statuses, headers, versions, attributes.
import { describe, expect } from "vitest";
import { requirement } from "../../support/requirement.js";
import { forEachStorage } from "../../support/world.js";
import {
  createGroup,
  createUser,
  type Directory,
  enterpriseSchema,
  expectStatus,
  groupSchema,
  membersOf,
  patchOf,
  refusalOf,
  startDirectory,
  userSchema,
} from "../support/directory.js";

const full = {
  schemas: [userSchema, enterpriseSchema],
  userName: "ann",
  externalId: "e1",
  name: { givenName: "Ann", familyName: "Other", formatted: "Ann Other", honorificPrefix: "Dr" },
  displayName: "Ann O.",
  emails: [
    { value: "ann@example.com", type: "work", primary: true },
    { value: "a@home.example", type: "home" },
  ],
  phoneNumbers: [{ value: "+49 1", type: "mobile" }],
  addresses: [{ type: "work", locality: "Berlin", country: "DE" }],
  photos: [{ value: "https://example.com/a.png", type: "photo" }],
  preferredLanguage: "de-DE",
  timezone: "Europe/Berlin",
  title: "Captain",
  entitlements: [{ value: "ship" }],
  x509Certificates: [{ value: "AAAA" }],
  active: true,
  [enterpriseSchema]: { employeeNumber: "12", department: "Ships", manager: { value: "m1" } },
};

const kinds = [
  { path: "/Users", body: { userName: "ann", title: "Captain" }, change: { userName: "ann", title: "Mate" } },
  { path: "/EnterpriseUsers", body: { userName: "ann", title: "Captain" }, change: { userName: "ann", title: "Mate" } },
  { path: "/Groups", body: { displayName: "Crew", externalId: "1" }, change: { displayName: "Crew", externalId: "2" } },
] as const;

const patchTo = (externalId: string) => patchOf({ op: "replace", value: { externalId } });

async function versionOf(call: Directory["call"], path: string): Promise<string> {
  const answer = await call("GET", path);
  expect(answer.at("meta.version")).toBe(answer.etag);
  return answer.etag;
}

forEachStorage((start) => {
  describe.each(kinds)("$path", ({ body, change, path }) => {
    requirement("scim.create", "POST answers 201 with the resource, its URL and its version", async () => {
      const { call } = await startDirectory(start);
      const answer = await call("POST", path, { ...body, id: "x", meta: { version: "x" }, groups: [{ value: "x" }] });
      const created = await expectStatus(answer, 201);
      const location = `http://localhost/api/scim/resource/v2${path}/${created.id}`;
      expect(created).toMatchObject({ ...body, meta: { location, version: answer.etag, created: "2023-11-14T22:13:20.000Z" } });
      expect(answer.headers.location).toBe(location);
      expect(answer.etag).toMatch(/^W\/"[\w-]+"$/);
      expect(await expectStatus(call("GET", `${path}/${created.id}`), 200)).toEqual(created);
      expect(await refusalOf(call("POST", path, body))).toEqual([409, "uniqueness"]);
    });

    requirement("scim.versions", "If-Match writes only the version that it names", async () => {
      const { call } = await startDirectory(start);
      const { id } = await expectStatus(call("POST", path, body), 201);
      const at = `${path}/${id}`;
      const first = await versionOf(call, at);
      const writes = [
        ["PUT", change],
        ["PATCH", patchTo("9")],
        ["DELETE", undefined],
      ] as const;
      for (const wrong of ['W/"stale"', '"stale"', 'W/"a", W/"b"', "stale"])
        for (const [method, sent] of writes)
          expect([wrong, method, (await call(method, at, sent, { "if-match": wrong })).status]).toEqual([wrong, method, 412]);
      expect(await versionOf(call, at)).toBe(first);
      expect((await call("PUT", at, change, { "if-match": first })).status).toBe(200);
      const second = await versionOf(call, at);
      expect(second).not.toBe(first);
      for (const [method, sent] of writes) expect((await call(method, at, sent, { "if-match": first })).status).toBe(412);
      expect((await call("PATCH", at, patchTo("9"), { "if-match": `W/"other", ${second}` })).status).toBeLessThan(300);
      const third = await versionOf(call, at);
      expect((await call("PATCH", at, patchTo("10"), { "if-match": third.slice(2) })).status).toBeLessThan(300);
      expect((await call("PATCH", at, patchTo("11"), { "if-match": "*" })).status).toBeLessThan(300);
      expect((await call("DELETE", at, undefined, { "if-match": await versionOf(call, at) })).status).toBe(204);
      expect((await call("PUT", at, change, { "if-match": "*" })).status).toBe(404);
    });

    requirement("scim.versions", "If-None-Match answers 304 without a body while nothing has changed", async () => {
      const { call } = await startDirectory(start);
      const { id } = await expectStatus(call("POST", path, body), 201);
      const at = `${path}/${id}`;
      const version = await versionOf(call, at);
      for (const header of [version, version.slice(2), "*", `"x", ${version}`]) {
        const answer = await call("GET", at, undefined, { "if-none-match": header });
        expect([header, answer.status, answer.text, answer.etag]).toEqual([header, 304, "", version]);
      }
      expect((await call("HEAD", at, undefined, { "if-none-match": version })).status).toBe(304);
      await call("PATCH", at, patchTo("other"));
      expect((await call("GET", at, undefined, { "if-none-match": version })).status).toBe(200);
    });

    requirement("scim.attributes", "attributes and excludedAttributes count on each verb", async () => {
      const { call } = await startDirectory(start);
      const query = "attributes=externalId,schemas,unknown";
      const onlyThat = (found: Record<string, unknown>) =>
        expect(Object.keys(found).filter((name) => !["id", "schemas"].includes(name))).toEqual(["externalId"]);
      const created = await expectStatus(call("POST", `${path}?${query}`, { ...body, externalId: "1" }), 201);
      onlyThat(created);
      const at = `${path}/${created.id}`;
      onlyThat(await expectStatus(call("GET", `${at}?${query}`), 200));
      onlyThat(await expectStatus(call("PUT", `${at}?${query}`, { ...change, externalId: "3" }), 200));
      onlyThat(await expectStatus(call("PATCH", `${at}?${query}`, patchTo("4")), 200));
      const { Resources } = await expectStatus(call("GET", `${path}?${query}`), 200);
      for (const one of Resources as Record<string, unknown>[]) onlyThat(one);
      for (const verb of ["GET", "PUT", "PATCH"] as const) {
        const sent = verb === "GET" ? undefined : verb === "PUT" ? { ...change, externalId: "3" } : patchTo("4");
        const shown = await expectStatus(call(verb, `${at}?excludedAttributes=externalId,meta,id`, sent), 200);
        expect([verb, shown.externalId, shown.meta, shown.id]).toEqual([verb, undefined, undefined, created.id]);
      }
      expect(await refusalOf(call("GET", `${at}?attributes=id&excludedAttributes=meta`))).toEqual([400, "invalidValue"]);
    });

    requirement("scim.methods", "HEAD is GET without a body, other methods are 405, unknown paths 404", async () => {
      const { call } = await startDirectory(start);
      const { id } = await expectStatus(call("POST", path, body), 201);
      expect((await call("HEAD", `${path}/${id}`)).status).toBe(200);
      for (const [method, at] of [
        ["PUT", path],
        ["DELETE", path],
        ["PATCH", path],
        ["POST", `${path}/${id}`],
        ["OPTIONS", path],
        ["GET", `${path}/.search`],
        ["GET", "/Bulk"],
        ["GET", "/.search"],
        ["POST", "/Schemas"],
      ] as const)
        expect([method, at, (await call(method, at, method === "POST" ? {} : undefined)).status]).toEqual([method, at, 405]);
      for (const at of [
        `${path}/none`,
        `${path}/${id}/more`,
        `${path}/${id}x`,
        "/Nothing",
        "",
        "/",
        "/Schemas/none",
        "/ResourceTypes/none",
        "/ServiceProviderConfig/x",
      ])
        expect([at, (await call("GET", at)).status]).toEqual([at, 404]);
      expect((await call("GET", `${path}/${String(id).toUpperCase()}`)).status).toBe(200);
      expect((await call("GET", `${path.toUpperCase()}/${id}/`)).status).toBe(200);
    });
  });

  requirement("scim.replace", "PUT removes what it leaves out, keeps the id and ignores what is read-only", async () => {
    const { call } = await startDirectory(start);
    const created = await expectStatus(call("POST", "/Users", full), 201);
    expect(created).toMatchObject(full);
    const put = { schemas: [userSchema], userName: "ann2", id: "x", meta: { created: "2000-01-01T00:00:00Z" }, undeclared: 1 };
    const replaced = await expectStatus(call("PUT", `/Users/${created.id}`, put), 200);
    const { meta, ...rest } = replaced;
    expect(rest).toEqual({ schemas: [userSchema], id: created.id, userName: "ann2", active: true });
    expect(meta).toMatchObject({ created: "2023-11-14T22:13:20.000Z" });
    expect(await expectStatus(call("PUT", `/Users/${created.id}`, full), 200)).toMatchObject(full);
    const ann = await createUser(call, "bob");
    const group = await createGroup(call, "Crew", [ann]);
    await expectStatus(call("PUT", `/Groups/${group}`, { schemas: [groupSchema], displayName: "Crew" }), 200);
    expect(await membersOf(call, group)).toEqual([]);
  });

  requirement("scim.replace", "the answer to a read can be sent back as it is", async () => {
    const { call } = await startDirectory(start);
    const { id } = await expectStatus(call("POST", "/Users", full), 201);
    await createGroup(call, "Crew", [String(id)]);
    const shown = await expectStatus(call("GET", `/Users/${id}`), 200);
    expect(shown.groups).toMatchObject([{ display: "Crew", type: "direct" }]);
    expect(await expectStatus(call("PUT", `/Users/${id}`, shown), 200)).toEqual(shown);
  });

  requirement("scim.create", "a user without userName, and a group without displayName, are refused", async () => {
    const { call } = await startDirectory(start);
    for (const [path, body] of [
      ["/Users", {}],
      ["/Users", { userName: " " }],
      ["/Users", { userName: null }],
      ["/Users", { userName: 5 }],
      ["/Groups", {}],
      ["/Groups", { displayName: "" }],
    ] as const)
      expect(await refusalOf(call("POST", path, body))).toEqual([400, "invalidValue"]);
    for (const body of [[], "text", 5, null])
      expect(await refusalOf(call("POST", "/Users", JSON.stringify(body)))).toEqual([400, "invalidSyntax"]);
    expect(await refusalOf(call("POST", "/Users"))).toEqual([400, "invalidSyntax"]);
  });

  requirement("scim.types", "bodies are application/scim+json or application/json", async () => {
    const { call } = await startDirectory(start);
    const send = async (type: string, name: string) =>
      (await call("POST", "/Users", { userName: name }, { "content-type": type })).status;
    for (const [at, type] of [
      "application/scim+json",
      "application/scim+json; charset=utf-8",
      "application/json",
      "Application/SCIM+JSON;charset=UTF-8",
    ].entries())
      expect([type, await send(type, `user${at}`)]).toEqual([type, 201]);
    for (const type of [
      "text/plain",
      "application/xml",
      "application/x-www-form-urlencoded",
      "multipart/form-data",
      "application/merge-patch+json",
    ]) {
      const status = await send(type, "other");
      expect([type, status >= 400 && status < 500]).toEqual([type, true]);
    }
  });

  requirement("scim.patch", "a PATCH with one bad operation changes nothing", async () => {
    const { call } = await startDirectory(start);
    const { id } = await expectStatus(call("POST", "/Users", full), 201);
    const before = await expectStatus(call("GET", `/Users/${id}`), 200);
    const group = await createGroup(call, "Crew");
    const bad = [
      { op: "replace", path: "unknown", value: 1 },
      { op: "replace", path: "active", value: "maybe" },
      { op: "replace", path: "userName", value: "" },
      { op: "move", path: "title" },
      { op: "replace", path: "id", value: "x" },
    ];
    for (const one of bad)
      expect(
        (
          await call(
            "PATCH",
            `/Users/${id}`,
            patchOf({ op: "replace", path: "title", value: "Mate" }, { op: "replace", value: { active: false } }, one),
          )
        ).status,
      ).toBe(400);
    expect(await expectStatus(call("GET", `/Users/${id}`), 200)).toEqual(before);
    const add = { op: "add", path: "members", value: [{ value: id }] };
    for (const one of [
      { op: "replace", path: "displayName", value: "" },
      { op: "add", path: "members", value: [{ value: "none" }] },
      { op: "add", path: "members", value: [{ value: group, type: "Group" }] },
    ])
      expect(
        (await call("PATCH", `/Groups/${group}`, patchOf({ op: "replace", path: "displayName", value: "Staff" }, add, one)))
          .status,
      ).toBe(400);
    expect(await membersOf(call, group)).toEqual([]);
    expect((await expectStatus(call("GET", `/Groups/${group}`), 200)).displayName).toBe("Crew");
  });
});
