import { expect } from "vitest";
import type { Received } from "../../transport/support/exchange.js";
import type { Step, Transcript } from "./transcript.js";

/** A readable id: `uuid("e", 7)` ends in 7. */
const uuid = (kind: string, index: number): string => `0000000${kind}-0000-4000-8000-${String(index).padStart(12, "0")}`;
const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const tenantId = (index: number): string => uuid("a", index % 3);
const inTenant = (index: number): Readonly<Record<string, string>> => ({ "x-service-tenantid": tenantId(index) });

/** What an administrator does with a fresh service; every answer is checked for its status and kept in the transcript. */
export async function runScenario(transcript: Transcript): Promise<void> {
  await createDirectory(transcript);
  await searchAndRead(transcript);
  await walk(transcript);
  await patch(transcript);
  await fail(transcript);
  await remove(transcript);
}

async function createDirectory(transcript: Transcript): Promise<void> {
  const inTurn = async (steps: readonly Step[]): Promise<void> => {
    for (const step of steps) await transcript.send(step);
  };
  await inTurn(
    range(3).map((index) => ({ call: `POST /api/tenant/${tenantId(index)}`, body: { tenant: { name: `Tenant ${index}` } } })),
  );
  await inTurn(
    range(4).map((index) => ({
      call: `POST /api/application/${uuid("b", index)}`,
      headers: inTenant(index),
      body: { application: { name: `Application ${index}`, roles: range(3).map((role) => toRole(index, role)) } },
    })),
  );
  // Users come side by side, as an import would bring them; a password costs a hash, so only some have one.
  await Promise.all(
    range(500).map((index) =>
      transcript.send({ call: `POST /api/user/${userId(index)}`, headers: inTenant(index), body: { user: toUser(index) } }),
    ),
  );
  await inTurn(
    range(40).map((index) => ({
      call: index < 20 ? `POST /api/group/${uuid("d", index)}` : "POST /api/group",
      headers: inTenant(index),
      body: {
        group: { name: `Group ${String(index).padStart(2, "0")}`, data: { index } },
        ...(index < 3 && { roleIds: [uuid("f", index * 10)] }),
      },
    })),
  );
  await inTurn(
    range(20).map((index) => ({
      call: "POST /api/group/member",
      headers: inTenant(index),
      body: {
        members: {
          [uuid("d", index)]: range(10).map((member) => ({ userId: userId(member * 3 + (index % 3)), data: { member } })),
        },
      },
    })),
  );
}

const userId = (index: number): string => uuid("c", index);

function toUser(index: number): object {
  const number = String(index).padStart(3, "0");
  const user = {
    email: `User${number}@Example.com`,
    firstName: "Ünï",
    lastName: `Name ${number}`,
    data: { index, even: index % 2 === 0 },
  };
  return index % 125 === 0 ? { ...user, password: "correct horse battery" } : user;
}

function toRole(application: number, role: number): object {
  return { id: uuid("f", application * 10 + role), name: `role ${role}`, isDefault: role === 0 };
}

async function searchAndRead(transcript: Transcript): Promise<void> {
  const total = async (step: Step): Promise<number> => JSON.parse((await transcript.send(step)).body).total;
  expect(await total({ call: "GET /api/user/search?queryString=*&numberOfResults=7" })).toBe(500);
  expect(await total({ call: "GET /api/user/search?queryString=user00&orderBy=email%20DESC" })).toBe(10);
  expect(
    await total({ call: "GET /api/user/search?queryString=user0&startRow=95&numberOfResults=10", headers: inTenant(1) }),
  ).toBe(33);
  expect(await total({ call: `GET /api/user/search?ids=${userId(1)}&ids=${userId(2)}&ids=${uuid("9", 9)}` })).toBe(2);
  expect(await total({ call: "POST /api/group/search", body: { search: { name: "group 1*", orderBy: "name DESC" } } })).toBe(10);
  expect(await total({ call: "GET /api/group/search?name=GROUP&numberOfResults=5&startRow=35" })).toBe(40);
  expect(await total({ call: `GET /api/group/member/search?groupId=${uuid("d", 0)}&orderBy=userId` })).toBe(10);
  expect(await total({ call: "GET /api/application/search?name=application", headers: inTenant(0) })).toBe(2);
  expect(await total({ call: "GET /api/tenant/search?name=tenant" })).toBe(3);
  const paths = [
    `/api/user/${userId(0)}`,
    `/api/group/${uuid("d", 0)}/`,
    `/api/application/${uuid("b", 3)}`,
    `/api/tenant/${tenantId(2)}`,
  ];
  for (const path of paths) {
    const { headers } = await transcript.send({ call: `GET ${path}` as Step["call"] });
    await transcript.send({ call: `HEAD ${path}` as Step["call"] });
    await transcript.send({
      call: `GET ${path}` as Step["call"],
      status: 304,
      headers: { "if-none-match": headers.etag?.[0] ?? "" },
    });
  }
  await transcript.send({ call: "GET /api/user?email=USER007@example.com", headers: inTenant(7) });
  await transcript.send({ call: "GET /api/application" });
  await transcript.send({ call: "GET /api/group", headers: inTenant(2) });
}

/** Walks all users by the tokens of the pages. */
async function walk(transcript: Transcript): Promise<void> {
  const seen = new Set<string>();
  for (let next = ""; ; ) {
    const token = next === "" ? "" : `&nextResults=${encodeURIComponent(next)}`;
    const { body } = await transcript.send({ call: `GET /api/user/search?queryString=*&numberOfResults=120${token}` });
    const page = JSON.parse(body) as { readonly users: readonly { readonly id: string }[]; readonly nextResults?: string };
    for (const user of page.users) seen.add(user.id);
    if (page.nextResults === undefined) break;
    next = page.nextResults;
  }
  expect(seen.size).toBe(500);
}

async function patch(transcript: Transcript): Promise<void> {
  const of = (type: string, call: Step["call"], body: unknown, more: Partial<Step> = {}): Promise<Received> =>
    transcript.send({ call, body, ...more, headers: { "content-type": type, ...more.headers } });
  const group: Step["call"] = `PATCH /api/group/${uuid("d", 1)}`;
  await of("application/json", group, { group: { data: { list: [1, { a: 1 }], text: "ä" } } });
  await of("application/json", group, { group: { data: { list: [2] } }, roleIds: [uuid("f", 12)] });
  await of("application/merge-patch+json", group, { group: { name: "Renamed", data: { index: null, list: [3] } } });
  const { headers } = await of("application/json-patch+json", group, [
    { op: "test", path: "/group/name", value: "Renamed" },
    { op: "add", path: "/group/data/list/-", value: 4 },
    { op: "move", from: "/group/data/text", path: "/group/data/moved" },
  ]);
  const tag = { "if-match": headers.etag?.[0] ?? "" };
  await of("application/json", group, { group: { data: { tagged: true } } }, { headers: tag });
  await of("application/json", group, { group: { data: { tagged: false } } }, { status: 412, headers: tag });
  await of("application/merge-patch+json", `PATCH /api/user/${userId(5)}`, { user: { lastName: null, data: { index: "five" } } });
  await of("application/json", `PATCH /api/tenant/${tenantId(0)}?dryRun=true`, { tenant: { name: "Never" } });
  await of("application/json-patch+json", group, [{ op: "test", path: "/group/name", value: "x" }], { status: 400 });
  await of("application/json-patch+json", group, [{ op: "remove", path: "/group/nowhere" }], { status: 400 });
  await of("application/json-patch+json", group, [{ op: "add", path: "/group/__proto__/x", value: 1 }], { status: 400 });
  await of("text/plain", group, "{}", { status: 400 });
  await transcript.send({ call: `GET /api/group/${uuid("d", 1)}` });
}

async function fail(transcript: Transcript): Promise<void> {
  const steps: readonly Step[] = [
    { call: "GET /api/group", status: 401, headers: { authorization: "wrong" } },
    { call: "POST /api/group", status: 400, body: { group: { name: "No tenant" } } },
    { call: "POST /api/group", status: 400, headers: inTenant(0), body: { group: { name: "GROUP 00" } } },
    { call: "POST /api/group", status: 400, headers: inTenant(0), body: { group: { name: " ", data: 5 }, roleIds: "x" } },
    { call: "POST /api/group", status: 400, headers: inTenant(0), body: '{\n  "group": {\n    "name": "x",\n  }\n}' },
    { call: "POST /api/group", status: 400, headers: inTenant(0), body: Buffer.from([0x7b, 0xff]) },
    { call: "POST /api/group", status: 400, headers: { ...inTenant(0), "content-type": "nonsense" }, body: "{}" },
    { call: "POST /api/group", status: 415, headers: { ...inTenant(0), "content-encoding": "gzip" }, body: "{}" },
    { call: "POST /api/group", status: 413, headers: inTenant(0), body: `"${"x".repeat(1_048_576)}"` },
    { call: "POST /api/group", status: 400, headers: inTenant(0), body: { group: { name: "x".repeat(192) } } },
    { call: "POST /api/group", status: 400, headers: inTenant(0) },
    { call: "POST /api/user", status: 400, headers: inTenant(0), body: { user: { email: "USER000@example.com" } } },
    { call: "POST /api/user", status: 400, headers: inTenant(0), body: { user: { password: "short", email: "nobody" } } },
    { call: `POST /api/tenant/${tenantId(1)}`, status: 400, body: { tenant: { name: "Again" } } },
    {
      call: "POST /api/group/member",
      status: 400,
      headers: inTenant(0),
      body: { members: { [uuid("d", 1)]: [{ userId: userId(0) }] } },
    },
    { call: `GET /api/group/${uuid("d", 0)}`, status: 404, headers: inTenant(1) },
    { call: `GET /api/group/${uuid("9", 9)}`, status: 404 },
    { call: "GET /api/group/nonsense", status: 400 },
    { call: "GET /api/group/%zz", status: 400 },
    { call: "GET /api/group", status: 400, headers: { "x-service-tenantid": "nonsense" } },
    { call: "GET /api/tenant/search", status: 401, headers: inTenant(0) },
    { call: "GET /api/group/search?numberOfResults=-1&orderBy=nothing", status: 400 },
    { call: "PUT /api/group", status: 400, headers: inTenant(0), body: { group: { name: "No id" } } },
    { call: "OPTIONS /api/group", status: 405 },
    { call: "DELETE /api/group/search", status: 405 },
    { call: "GET /api/nothing", status: 404 },
    { call: "POST /nothing", status: 404, body: { some: "body" } },
  ];
  for (const step of steps) await transcript.send(step);
}

async function remove(transcript: Transcript): Promise<void> {
  const steps: readonly Step[] = [
    { call: `DELETE /api/group/member?groupId=${uuid("d", 0)}&userId=${userId(3)}`, headers: inTenant(0) },
    { call: `DELETE /api/group/member?groupId=${uuid("d", 0)}&userId=${userId(3)}`, status: 404, headers: inTenant(0) },
    { call: `DELETE /api/group/${uuid("d", 0)}`, headers: inTenant(0) },
    { call: `DELETE /api/group/${uuid("d", 0)}`, status: 404, headers: inTenant(0) },
    { call: `DELETE /api/user/${userId(6)}` },
    { call: `DELETE /api/user/${userId(9)}?hardDelete=true` },
    { call: `DELETE /api/application/${uuid("b", 1)}/role/${uuid("f", 10)}`, headers: inTenant(1) },
    { call: `DELETE /api/application/${uuid("b", 3)}?hardDelete=true` },
    { call: `DELETE /api/tenant/${tenantId(2)}` },
    { call: `GET /api/group/${uuid("d", 1)}` },
    { call: "GET /api/group/search" },
    { call: "GET /api/user/search?queryString=*&numberOfResults=3" },
    { call: "GET /api/application" },
    { call: "GET /api/tenant" },
  ];
  for (const step of steps) await transcript.send(step);
}
