import { expect, test } from "vitest";
import type { RealmRequest } from "../../adapters/runners/lambda-guest/realm.js";
import { changedBy, forEachEngine } from "../support/realm.js";

type Call = readonly [name: string, values: unknown];

forEachEngine((makeRealm, engine) => {
  /** Runs a body with a host that answers each call by what a test says, and tells what was called. */
  function withHost(
    body: string,
    hostNames: readonly string[],
    answer: (name: string) => string,
    given: Partial<RealmRequest> = {},
  ) {
    const calls: Call[] = [];
    const callHost = (name: string, json: string): string => {
      calls.push([name, JSON.parse(json)]);
      return answer(name);
    };
    const realm = makeRealm({ callHost });
    const outcome = realm.run(body, { request: { hostNames: [...hostNames], ...given } });
    realm.close();
    return { calls, outcome };
  }

  test(`fetch of ${engine} asks the host with method, headers and body`, () => {
    const body = `function populate(jwt) {
      const headers = new Headers({ "X-One": 1 });
      headers.append("x-one", "2");
      fetch("https://a.example/", { method: "POST", headers, body: JSON.stringify({ a: 1 }) });
      fetch({ toString: () => "https://b.example/" }, { headers: { Accept: "text/plain" }, body: null });
      fetch("https://c.example/", { headers: [["A", "b"], ["a", "c"]] });
      jwt.answer = fetch("https://d.example/"); }`;
    const response = { status: 201, headers: { "Content-Type": "a/b", "x-raw": "1" }, body: "text", hidden: 1 };
    const { calls, outcome } = withHost(body, ["fetch"], () => JSON.stringify({ value: response }));
    expect(calls).toEqual([
      ["fetch", ["https://a.example/", { method: "POST", headers: { "x-one": "1, 2" }, body: '{"a":1}' }]],
      ["fetch", ["https://b.example/", { method: "GET", headers: { accept: "text/plain" } }]],
      ["fetch", ["https://c.example/", { method: "GET", headers: { a: "b, c" } }]],
      ["fetch", ["https://d.example/", { method: "GET", headers: {} }]],
    ]);
    const answer = { status: 201, headers: { "content-type": "a/b", "x-raw": "1" }, body: "text" };
    expect(changedBy(outcome)).toEqual({ jwt: { answer } });
  });

  test(`fetch of ${engine} takes a string as body, and valid headers`, () => {
    const cases: [init: string, message: RegExp][] = [
      ["{ body: { a: 1 } }", /must be a string/],
      ["{ body: new Uint8Array(1) }", /must be a string/],
      ["{ headers: { 'a b': 1 } }", /no name of a header/],
      ["{ headers: { a: 'b\\r\\nc: d' } }", /no value of a header/],
      ["{ headers: { a: '\\u0100' } }", /no value of a header/],
      ["{ headers: 'a: b' }", /object or of pairs/],
    ];
    for (const [init, message] of cases) {
      const body = `function populate(jwt) { try { fetch("https://a.example/", ${init}); } catch (error) { jwt.error = [error instanceof TypeError, error.message]; } }`;
      const { calls, outcome } = withHost(body, ["fetch"], () => "{}");
      expect(calls).toEqual([]);
      expect([init, changedBy(outcome)]).toEqual([init, { jwt: { error: [true, expect.stringMatching(message)] } }]);
    }
  });

  test(`without leave there is no fetch in ${engine}, and it says so`, () => {
    const { calls, outcome } = withHost("function populate(jwt) {\n  fetch('https://a.example/');\n}", ["host.a"], () => "{}");
    expect([calls, outcome]).toEqual([
      [],
      expect.objectContaining({ kind: "threw", message: "fetch is not available here.", line: 2, column: 3 }),
    ]);
    const realm = makeRealm();
    expect(realm.run("function populate() { fetch('x'); }", { request: { hostNames: ["fetch"] } })).toMatchObject({
      message: "fetch is not available here.",
    });
    realm.close();
  });

  test(`a host that answers nothing has no response in ${engine}`, () => {
    const { outcome } = withHost("function populate() { fetch('https://a.example/'); }", ["fetch"], () => "{}");
    expect(outcome).toMatchObject({ kind: "threw", message: "fetch has no answer.", line: 1 });
  });

  test(`Headers of ${engine} are read, changed and walked through`, () => {
    const body = `function populate(jwt) {
      const headers = new Headers([["B", " 2 "], ["a", "1"]]);
      headers.set("C", 3); headers.append("c", "4"); headers.delete("b");
      const visited = []; headers.forEach((value, name, all) => visited.push([name, value, all === headers]));
      jwt.all = [...headers]; jwt.visited = visited; jwt.names = [...headers.keys()]; jwt.values = [...headers.values()];
      jwt.read = [headers.get("A"), headers.get("b"), headers.has("B"), headers.has("c")];
      jwt.copy = new Headers(headers); jwt.odd = new Headers({ constructor: "x", hasOwnProperty: "y" }); jwt.none = [...new Headers()]; }`;
    const realm = makeRealm();
    expect(changedBy(realm.run(body)).jwt).toEqual({
      all: [
        ["a", "1"],
        ["c", "3, 4"],
      ],
      visited: [
        ["a", "1", true],
        ["c", "3, 4", true],
      ],
      names: ["a", "c"],
      values: ["1", "3, 4"],
      read: ["1", null, false, true],
      copy: { a: "1", c: "3, 4" },
      odd: { constructor: "x", hasownproperty: "y" },
      none: [],
    });
    realm.close();
  });

  test(`secrets of ${engine} are read by name and stand in nothing that is written`, () => {
    const body = `function populate(jwt, user, context) {
      jwt.read = [context.secrets.get("one"), context.services.secrets.get("two"), context.secrets === context.services.secrets];
      jwt.keys = [Object.keys(context), Object.keys(context.services)]; console.log(context); }`;
    const names = ["secrets.get"];
    const { calls, outcome } = withHost(body, names, () => '{"value":"s3cret"}', { changes: ["jwt", "context"] });
    expect(calls).toEqual([
      ["secrets.get", ["one"]],
      ["secrets.get", ["two"]],
    ]);
    expect(changedBy(outcome)).toEqual({ jwt: { read: ["s3cret", "s3cret", true], keys: [[], []] }, context: {} });
    expect(outcome.console).toEqual([{ level: "info", text: "{}" }]);
  });

  test(`a context of ${engine} keeps its own members beside the secrets, and is made when there is none`, () => {
    const body = `function populate(jwt, user, context) { jwt.read = [context.secrets.get("a"), context.services?.mail, context.tenant]; }`;
    const realm = makeRealm({ callHost: () => '{"value":7}' });
    const read = (values: object): unknown =>
      changedBy(realm.run(body, { values: { jwt: {}, ...values }, request: { hostNames: ["secrets.get"] } })).jwt;
    expect(read({ context: { services: { mail: 1 }, tenant: 2 } })).toEqual({ read: [7, 1, 2] });
    for (const context of [undefined, null, 7]) expect(read({ context })).toEqual({ read: [7, null, null] });
    expect(realm.run(body)).toMatchObject({ kind: "threw", message: expect.stringContaining("undefined") });
    realm.close();
  });

  test(`functions of the host in ${engine} take and answer JSON`, () => {
    const body = `function populate(jwt) {
      jwt.names = Object.keys(host);
      jwt.answers = [host.look({ a: [1] }, "b"), host.none(undefined), typeof host.none(), host["odd.name"]()]; }`;
    const answers: Readonly<Record<string, string>> = {
      "host.look": '{"value":{"found":true}}',
      "host.odd.name": '{"value":null}',
    };
    const { calls, outcome } = withHost(
      body,
      ["host.look", "host.none", "host.odd.name", "fetch"],
      (name) => answers[name] ?? "{}",
    );
    expect(calls).toEqual([
      ["host.look", [{ a: [1] }, "b"]],
      ["host.none", [null]],
      ["host.none", []],
      ["host.odd.name", []],
    ]);
    expect(changedBy(outcome).jwt).toEqual({
      names: ["look", "none", "odd.name"],
      answers: [{ found: true }, null, "undefined", null],
    });
    expect(changedBy(withHost("function populate(jwt) { jwt.type = typeof host; }", [], () => "{}").outcome)).toEqual({
      jwt: { type: "undefined" },
    });
  });

  test(`what the host refuses is an Error of the realm in ${engine}, placed in the body`, () => {
    const body = `function populate(jwt) {
  try { host.fail(); } catch (error) { jwt.caught = [error instanceof Error, error.constructor === Error, error.message]; }
  host.fail();
}`;
    const { outcome } = withHost(body, ["host.fail"], () => '{"error":"no such user"}');
    expect(outcome).toMatchObject({ kind: "threw", message: "no such user", line: 3, column: 8 });
    const caught = withHost(body.replace("\n  host.fail();", ""), ["host.fail"], () => '{"error":"no such user"}');
    expect(changedBy(caught.outcome)).toEqual({ jwt: { caught: [true, true, "no such user"] } });
  });

  test(`what cannot be sent to the host is not sent from ${engine}`, () => {
    for (const [value, message] of [
      ["1n", /BigInt/],
      ["(() => { const a = []; a.push(a); return a; })()", /circular/],
      ["'x'.repeat(2000)", /too large/],
    ] as const) {
      const { calls, outcome } = withHost(`function populate() { host.a(${value}); }`, ["host.a"], () => "{}", {
        resultBytes: 1_000,
      });
      expect([calls, outcome]).toEqual([[], expect.objectContaining({ kind: "threw", message: expect.stringMatching(message) })]);
    }
  });
});
