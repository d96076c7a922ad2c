import { Readable } from "node:stream";
import { IdentityError } from "latchkey";
import type { ApiRequest, RequestBody } from "latchkey/ports";
import { describe, expect, test } from "vitest";
import { type BodyKind, readBody } from "../../src/http/transport/read-body.js";
import { type BodyLimits, maxDrainedBytes } from "../../src/http/transport/read-bytes.js";
import { createRuntime } from "../../src/shared/default-runtime.js";
import { requirement } from "../support/requirement.js";

const all: ReadonlySet<BodyKind> = new Set(["json", "jsonPatch", "mergePatch"]);
const limits: BodyLimits = { maxBytes: 20, timeoutMs: 60_000, timers: createRuntime().timers };
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function request(body: RequestBody | undefined, headers: ApiRequest["headers"] = {}): ApiRequest {
  return { method: "POST", path: "/api/group", query: "", headers: { "content-type": "application/json", ...headers }, body };
}

/** The code of the first error, of which there must be one. */
async function refusal(sent: ApiRequest, over: Partial<BodyLimits> = {}, allowed = all): Promise<string> {
  try {
    await readBody(sent, allowed, { ...limits, ...over });
  } catch (error) {
    if (error instanceof IdentityError) return `${error.status} ${error.code}`;
    throw error;
  }
  throw new Error("nothing was refused");
}

async function* chunks(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield encode(text);
}

/** The same body in each way in which a transport may hold it; streams afresh for each use. */
function forms(text: string): Readonly<Record<string, RequestBody>> {
  const [start, end] = [text.slice(0, 3), text.slice(3)];
  return {
    text: { kind: "text", text },
    bytes: { kind: "bytes", bytes: encode(text) },
    "a part of a larger buffer": { kind: "bytes", bytes: Buffer.from(`xx${text}xx`).subarray(2, -2) },
    "a Node stream": { kind: "stream", stream: Readable.from([Buffer.from(start), Buffer.from(end)], { objectMode: false }) },
    "an iterable": { kind: "stream", stream: chunks(start, end) },
    "a web stream": { kind: "stream", stream: new Blob([text]).stream() },
  };
}

describe.each(Object.keys(forms("")))("a body that is %s", (name) => {
  const form = (text: string): RequestBody => forms(text)[name] ?? { kind: "text", text: "unknown form" };

  test("is read as JSON", async () => {
    expect(await readBody(request(form('{"a":["b"]}')), all, limits)).toEqual({ kind: "json", value: { a: ["b"] } });
  });

  test("may be as long as the limit, in bytes, and no longer", async () => {
    expect(await readBody(request(form(`"${"x".repeat(18)}"`)), all, limits)).toMatchObject({ value: "x".repeat(18) });
    expect(await refusal(request(form(`"${"x".repeat(19)}"`)))).toBe("413 [tooLarge]");
    expect(await refusal(request(form(`"${"é".repeat(10)}"`)))).toBe("413 [tooLarge]");
  });

  test("counts as none when it is empty", async () => {
    expect(await readBody(request(form(""), { "content-type": undefined }), all, limits)).toBeUndefined();
  });

  test("must be JSON", async () => {
    expect(await refusal(request(form("{'a':1}")))).toBe("400 [invalidJSON]");
  });
});

test("takes what the host parsed as it is", async () => {
  const value = { group: { name: "x".repeat(100) } };
  expect(await readBody(request({ kind: "parsed", value }), all, limits)).toEqual({ kind: "json", value });
  expect(await readBody(request(undefined), all, limits)).toBeUndefined();
});

test.each<[string | readonly string[] | undefined, string]>([
  ["application/json", "json"],
  ["Application/JSON; Charset=UTF-8", "json"],
  ['application/json; charset="utf-8"', "json"],
  ["application/json;x=y;charset=utf8", "json"],
  [" application/merge-patch+json ", "mergePatch"],
  ["application/json-patch+json", "jsonPatch"],
  [undefined, "400 [MissingContentType]"],
  ["", "400 [MissingContentType]"],
  ["nonsense", "400 [InvalidContentType]"],
  ["application/json, application/json", "400 [InvalidContentType]"],
  ["text/json", "400 [UnsupportedContentType]"],
  ["application/x-www-form-urlencoded", "400 [UnsupportedContentType]"],
  ["application/json; charset=utf-16", "400 [UnsupportedContentType]"],
  ["application/json; charset=latin1", "400 [UnsupportedContentType]"],
  ["application/__proto__", "400 [UnsupportedContentType]"],
  ["application/constructor", "400 [UnsupportedContentType]"],
])("reads the content type %o as %s", async (type, expected) => {
  const sent = request({ kind: "text", text: "{}" }, { "content-type": type });
  expect(/^\d/.test(expected) ? await refusal(sent) : (await readBody(sent, all, limits))?.kind).toBe(expected);
});

test("takes only the kinds of documents that the route allows", async () => {
  const sent = request({ kind: "text", text: "{}" }, { "content-type": "application/merge-patch+json" });
  expect(await refusal(sent, {}, new Set<BodyKind>(["json"]))).toBe("400 [UnsupportedContentType]");
});

test("refuses what is encoded or announced far too long before it reads anything", async () => {
  const unread: RequestBody = {
    kind: "stream",
    stream: {
      [Symbol.asyncIterator]() {
        throw new Error("was read");
      },
    },
  };
  expect(await refusal(request(unread, { "content-encoding": "gzip" }))).toBe("415 [UnsupportedContentEncoding]");
  expect(await refusal(request(unread, { "content-length": String(maxDrainedBytes + 1) }))).toBe("413 [tooLarge]");
  expect(await readBody(request({ kind: "text", text: "1" }, { "content-encoding": "identity" }), all, limits)).toMatchObject({
    value: 1,
  });
});

test.each(["ff", "c3 28", "ed a0 80", "f5 80 80 80", "22 c0 af 22"])("refuses the bytes %s, which are not UTF-8", async (hex) => {
  const bytes = Buffer.from(hex.replaceAll(" ", ""), "hex");
  expect(await refusal(request({ kind: "bytes", bytes }))).toBe("400 [invalidText]");
});

describe("a stream that does not end well", () => {
  const stalled = (): AsyncGenerator<Uint8Array> =>
    (async function* () {
      yield encode("{");
      await new Promise(() => undefined);
    })();

  test.each([
    ["Node", () => new Readable({ read() {} })],
    ["iterable", stalled],
  ])("is given up when it stalls (%s)", async (_name, stream) => {
    expect(await refusal(request({ kind: "stream", stream: stream() }), { timeoutMs: 5 })).toBe("408 [requestTimeout]");
  });

  test("is a broken body when it fails or is cut", async () => {
    const failing = (): AsyncGenerator<Uint8Array> =>
      (async function* () {
        yield encode("{");
        throw new Error("reset");
      })();
    expect(await refusal(request({ kind: "stream", stream: failing() }))).toBe("400 [invalidJSON]");
    const cut = new Readable({ read() {} });
    cut.push("{");
    const answer = refusal(request({ kind: "stream", stream: cut }));
    cut.destroy();
    expect(await answer).toBe("400 [invalidJSON]");
    const failed = new Readable({ read() {} });
    const second = refusal(request({ kind: "stream", stream: failed }));
    failed.destroy(new Error("reset"));
    expect(await second).toBe("400 [invalidJSON]");
  });

  test("keeps no listener of ours and is not read for ever", async () => {
    let pulled = 0;
    const stream = new Readable({
      read() {
        pulled++;
        this.push(Buffer.alloc(1_048_576, " "));
      },
    });
    const before = stream.listenerCount("error");
    expect(await refusal(request({ kind: "stream", stream }))).toBe("413 [tooLarge]");
    expect([stream.listenerCount("data"), stream.listenerCount("error"), stream.listenerCount("end")]).toEqual([0, before, 0]);
    expect([stream.isPaused(), pulled < 70]).toEqual([true, true]);
  });

  test("is read to its end and dropped where it is too long, so that its client gets the answer", async () => {
    const megabyte = Buffer.alloc(1_048_576, " ");
    async function* long(): AsyncGenerator<Uint8Array> {
      for (let count = 0; count < 8; count++) yield megabyte;
      ended++;
    }
    let ended = 0;
    const announced = { "content-length": String(8 * megabyte.byteLength) };
    for (const headers of [{}, announced])
      for (const stream of [long(), Readable.from(long(), { objectMode: false })])
        expect(await refusal(request({ kind: "stream", stream }, headers))).toBe("413 [tooLarge]");
    expect(ended).toBe(4);
  });

  requirement("wire.unreadable-body", "is refused where something else has read it, and is never none", async () => {
    const read = Readable.from([Buffer.from("{}")]);
    await read.toArray();
    const begun = Readable.from([Buffer.from("{"), Buffer.from("}")]);
    await begun.iterator({ destroyOnReturn: false }).next();
    const locked = ReadableStream.from([Buffer.from("{}")]);
    locked.getReader();
    const disturbed = ReadableStream.from([Buffer.from("{}")]);
    for await (const _part of disturbed);
    for (const stream of [read, begun, locked, disturbed])
      expect(await refusal(request({ kind: "stream", stream }))).toBe("400 [unreadableBody]");
    expect(await refusal(request({ kind: "unreadable", reason: "Read before." }))).toBe("400 [unreadableBody]");
  });
});

describe("a form", () => {
  const read = async (
    text: string,
    type = "application/x-www-form-urlencoded",
    allowed: BodyKind[] = ["form"],
  ): Promise<unknown> =>
    readBody(request({ kind: "text", text }, { "content-type": type }), new Set(allowed), { ...limits, maxBytes: 200 });

  test("is read as texts, and as lists where a name comes twice", async () => {
    const value = { scope: "a b", state: "\u00e9+&=", empty: "", twice: ["1", "2", "3"] };
    const text = "scope=a+b&state=%C3%A9%2B%26%3D&empty&twice=1&twice=2&twice=3";
    expect(await read(text)).toEqual({ kind: "form", value });
    expect(await read(text, "Application/X-WWW-Form-urlencoded; charset=utf-8")).toEqual({ kind: "form", value });
  });

  test("has names that mean nothing to objects", async () => {
    const { value } = (await read("__proto__=x&constructor=y&toString=z")) as { readonly value: object };
    expect(Object.entries(value)).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"],
      ["toString", "z"],
    ]);
  });

  test("is taken only where one is asked for, and JSON is none", async () => {
    const unsupported = { status: 400, code: "[UnsupportedContentType]" };
    await expect(read("a=1", undefined, ["json"])).rejects.toMatchObject(unsupported);
    await expect(read("{}", "application/json")).rejects.toMatchObject(unsupported);
    await expect(read("a=1", "application/x-www-form-urlencoded; charset=latin1")).rejects.toMatchObject(unsupported);
  });
});
