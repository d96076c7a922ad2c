import type { KickstartDocument } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { describe, expect, onTestFinished } from "vitest";
import { expectOk } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { writeFiles } from "../support/temporary.js";
import { startWorld, uuid, type World } from "../support/world.js";

const apiKeys = [{ key: "the-kickstart-key" }];
const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const run = (kickstart: KickstartDocument | string): Promise<World> => startWorld(memoryStorage(), { kickstart });

/** What a kickstart makes of a text: it ends up in the data of a group. */
async function resolved(data: unknown, variables: KickstartDocument["variables"] = {}): Promise<unknown> {
  const requests = [{ method: "POST", url: `/api/group/${uuid(1)}`, body: { group: { name: "G", data: { value: data } } } }];
  const world = await run({ variables, apiKeys, requests });
  return expectOk(await world.caller.get(`/api/group/${uuid(1)}`)).at("group.data.value");
}

describe("variables of a kickstart", () => {
  requirement("kickstart.variables", "are replaced at any depth, in keys and inside of longer texts", async () => {
    const data = { list: ["#{a}", { deep: "x #{a} y #{b}" }], "key #{a}": 1, number: 7, flag: true };
    expect(await resolved(data, { a: "one", b: 2 })).toEqual({
      list: ["one", { deep: "x one y 2" }],
      "key one": 1,
      number: 7,
      flag: true,
    });
  });

  requirement("kickstart.variables", "may use those defined before them, and values are taken as they are", async () => {
    expect(await resolved("#{c}", { a: "x", b: "#{a}-#{a}", c: "<#{b}>" })).toBe("<x-x>");
    expect(await resolved("#{a}", { a: "$& $1 $$" })).toBe("$& $1 $$");
  });

  requirement("kickstart.variables", "are replaced in keys, URLs and tenants as well", async () => {
    const variables = { id: uuid(3), tenant: uuid(4), key: "a-key-by-variable" };
    const requests = [
      { method: "POST", url: "/api/tenant/#{tenant}", body: { tenant: { name: "T" } } },
      { method: "POST", url: "/api/group/#{id}", tenantId: "#{tenant}", body: { group: { name: "G" } } },
    ];
    const world = await run({ variables, apiKeys: [{ key: "#{key}" }], requests });
    const caller = world.as("a-key-by-variable");
    expect(expectOk(await caller.get(`/api/group/${uuid(3)}`)).at("group.tenantId")).toBe(uuid(4));
  });

  requirement("kickstart.uuid", "UUID() is fresh each time it is written, and kept by a variable", async () => {
    const { list } = (await resolved({ list: ["#{UUID()}", "#{UUID()}", "#{kept}", "#{kept}"] }, { kept: "#{UUID()}" })) as {
      list: string[];
    };
    const [one, two, three, four] = list;
    for (const value of list) expect(value).toMatch(uuidShape);
    expect(three).toBe(four);
    expect(new Set([one, two, three]).size).toBe(3);
  });

  requirement("kickstart.environment", "ENV.NAME is an environment variable", async () => {
    process.env.LATCHKEY_TEST_VARIABLE = "from outside";
    onTestFinished(() => {
      delete process.env.LATCHKEY_TEST_VARIABLE;
    });
    expect(await resolved("#{ENV.LATCHKEY_TEST_VARIABLE} #{v}", { v: "#{ENV.LATCHKEY_TEST_VARIABLE}" })).toBe(
      "from outside from outside",
    );
    await expect(resolved("#{ENV.LATCHKEY_TEST_NO_SUCH_VARIABLE}")).rejects.toThrow(/LATCHKEY_TEST_NO_SUCH_VARIABLE/);
  });

  requirement("kickstart.escape", "stay literal behind a backslash", async () => {
    expect(await resolved("\\#{a} #{a} \\#{unknown}", { a: "one" })).toBe("#{a} one #{unknown}");
    expect(await resolved("# { # {a} #a {a}", { a: "one" })).toBe("# { # {a} #a {a}");
  });

  requirement("kickstart.undefined", "stop the start when they are not defined, or not yet", async () => {
    await expect(resolved("#{nowhere}")).rejects.toThrow(/#\{nowhere\}/);
    await expect(resolved("#{a}", { a: "#{b}", b: "x" })).rejects.toThrow(/#\{b\}/);
    for (const name of ["__proto__", "constructor", "toString"])
      await expect(resolved(`#{${name}}`)).rejects.toThrow(/not defined/);
  });

  requirement("kickstart.default-tenant", "defaultTenantId sets the id of the default tenant", async () => {
    const world = await run({ variables: { defaultTenantId: "AAAAAAAA-0000-0001-0000-00000000000A" }, apiKeys });
    expect(world.defaultTenantId).toBe("aaaaaaaa-0000-0001-0000-00000000000a");
    expect((await world.identity.tenants.list()).tenants).toHaveLength(1);
  });

  requirement("kickstart.built-in", "SERVICE_TENANT_ID and SERVICE_APPLICATION_ID are known", async () => {
    const requests = [
      {
        method: "POST",
        url: `/api/group/${uuid(1)}`,
        body: { group: { name: "G", data: { ids: ["#{SERVICE_TENANT_ID}", "#{SERVICE_APPLICATION_ID}"] } } },
      },
    ];
    const cases: Record<string, string>[] = [{}, { defaultTenantId: uuid(5) }];
    for (const variables of cases) {
      const world = await run({ variables, apiKeys, requests });
      const ids = (await world.caller.get(`/api/group/${uuid(1)}`)).at("group.data.ids");
      expect(ids).toEqual([world.defaultTenantId, "3c219e58-ed0e-4b18-ad48-f4f92793ae32"]);
    }
  });
});

describe("includes of a kickstart file", () => {
  const body = (data: unknown): object => ({ group: { name: "G", data } });
  const post = (number: number, content: unknown): object => ({
    method: "POST",
    url: `/api/group/${uuid(number)}`,
    body: content,
  });

  requirement("kickstart.text-include", "@{path} is the text of a file beside the kickstart file", async () => {
    const directory = writeFiles({
      "start/kickstart.json": {
        variables: { who: "you", file: "text" },
        apiKeys,
        requests: [post(1, body({ text: "@{parts/#{file}.html}", plain: "see @{parts/text.html}" }))],
      },
      "start/parts/text.html": '<p>\n"Hello" #{who}, \\#{who} ü</p>\n',
    });
    const world = await run(`${directory}/start/kickstart.json`);
    expect((await world.caller.get(`/api/group/${uuid(1)}`)).at("group.data")).toEqual({
      text: '<p>\n"Hello" you, #{who} ü</p>\n',
      plain: "see @{parts/text.html}",
    });
  });

  requirement("kickstart.json-include", "&{path} is the JSON of a file, as a value, a body or a whole request", async () => {
    const directory = writeFiles({
      "kickstart.json": { variables: { n: "one" }, apiKeys, requests: [post(1, "&{body.json}"), "&{requests/two.json}"] },
      "body.json": body({ from: "body #{n}", inner: "&{requests/inner.json}" }),
      "requests/two.json": post(2, { group: { name: "#{n}", data: { text: "@{text.txt}" } } }),
      "requests/inner.json": ["#{n}", { deep: true }],
      "text.txt": "beside the kickstart file, not beside the including one",
    });
    const world = await run(`${directory}/kickstart.json`);
    expect(world.log).toEqual([]);
    expect((await world.caller.get(`/api/group/${uuid(1)}`)).at("group.data")).toEqual({
      from: "body one",
      inner: ["one", { deep: true }],
    });
    expect((await world.caller.get(`/api/group/${uuid(2)}`)).at("group")).toMatchObject({
      name: "one",
      data: { text: expect.stringContaining("beside the kickstart file") },
    });
  });

  requirement("kickstart.undefined", "stop the start when a file is missing, no JSON or includes itself", async () => {
    const cases: Record<string, unknown>[] = [
      { "kickstart.json": { apiKeys, requests: ["&{missing.json}"] } },
      { "kickstart.json": { apiKeys, requests: [post(1, "@{missing.txt}")] } },
      { "kickstart.json": { apiKeys, requests: ["&{broken.json}"] }, "broken.json": "{" },
      { "kickstart.json": { apiKeys, requests: ["&{loop.json}"] }, "loop.json": ["&{loop.json}"] },
      { "kickstart.json": "{ broken" },
      { "kickstart.json": "[]" },
      {},
    ];
    for (const files of cases)
      await expect(run(`${writeFiles(files)}/kickstart.json`)).rejects.toThrow(/missing|cannot be read|without end|JSON object/);
  });
});
