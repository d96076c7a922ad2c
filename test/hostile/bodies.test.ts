import { describe, expect } from "vitest";
import { Answer, expectOk, expectRefusal } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { bootstrapKey, forEachStorage, uuid, type World } from "../support/world.js";

const path = `/api/group/${uuid(1)}`;

/** Sends a body as bytes, with headers of its own. */
async function sendBytes(world: World, bytes: Uint8Array, headers: Record<string, string> = {}): Promise<Answer> {
  return new Answer(
    await world.identity.inject({ method: "POST", url: path, headers: { Authorization: bootstrapKey, ...headers }, body: bytes }),
  );
}

/** Sends a body as a stream of chunks, as a transport would. */
async function sendStream(world: World, chunks: readonly string[], headers: Record<string, string> = {}): Promise<Answer> {
  async function* stream(): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  const all = { authorization: bootstrapKey, "content-type": "application/json", ...headers };
  const response = await world.identity.handle({
    method: "POST",
    path,
    query: "",
    headers: all,
    body: { kind: "stream", stream: stream() },
  });
  if (response === undefined) throw new Error("The path is not the service's.");
  return new Answer(response);
}

const groupNamed = (name: string): string => `{"group":{"name":${name}}}`;

forEachStorage((start) => {
  describe("the text of a body", () => {
    requirement(
      "errors.bad-json",
      "is refused with line and column where it is no JSON, and none of it is repeated",
      async () => {
        const { caller } = await start();
        const cases: [string, string][] = [
          ['{"group":{"name":secret}}', "line 1, column 18"],
          ['{\n  "group": {\n    "name": "secret",}\n}', "line 3, column 22"],
          ['{"group":', "line 1, column 10"],
          ["{'group':1}", "line 1, column 2"],
          ['{"a":1}\n{"secret":2}', "line 2, column 1"],
          ["\ufeff{}", "line 1, column 1"],
          ["secret", "line 1, column 1"],
          ['{"a":NaN}', "line 1, column 6"],
          ['"\t"', "line 1, column 2"],
        ];
        for (const [text, place] of cases) {
          const answer = await caller.post(path, text);
          expectRefusal(answer, 400, "[invalidJSON]");
          expect({ text, message: answer.at("generalErrors.0.message") }).toEqual({
            text,
            message: expect.stringContaining(`${place}.`),
          });
          expect(answer.text).not.toContain("secret");
        }
      },
    );

    requirement("errors.not-an-object", "must be an object", async () => {
      const { caller } = await start();
      for (const text of ["[]", "7", '"text"', "true", '[{"group":{"name":"G"}}]'])
        expectRefusal(await caller.post(path, text), 400, "[invalidJSON]");
      for (const text of ["null", "", "{}"]) expectRefusal(await caller.post(path, text), 400, "[missing]group");
    });

    requirement("errors.depth", "may nest 64 levels and not one more, however deep it goes", async () => {
      const { caller } = await start();
      const nested = (levels: number): string =>
        `{"group":{"name":"G","data":{"a":${"[".repeat(levels - 3)}${"]".repeat(levels - 3)}}}}`;
      expectOk(await caller.post(path, nested(64)));
      expectOk(await caller.put(path, nested(64)));
      for (const levels of [65, 1_000, 100_000]) {
        expectRefusal(await caller.put(path, nested(levels)), 400, "[invalidJSON]");
        expectRefusal(await caller.patch(path, nested(levels)), 400, "[invalidJSON]");
        expectRefusal(await caller.mergePatch(path, nested(levels)), 400, "[invalidJSON]");
        const value = `${"[".repeat(levels)}${"]".repeat(levels)}`;
        expectRefusal(
          await caller.jsonPatch(path, `[{"op":"add","path":"/group/data/a","value":${value}}]`),
          400,
          "[invalidJSON]",
        );
      }
    });

    requirement("errors.depth", "cannot be made too deep by patches that are shallow themselves", async () => {
      const { caller } = await start();
      expectOk(await caller.post(path, { group: { name: "G", data: { a: {} } } }));
      const pointer = "/group/data/a";
      const deeper = Array.from({ length: 40 }, (_, level) => ({ op: "add", path: pointer + "/a".repeat(level + 1), value: {} }));
      expectOk(await caller.jsonPatch(path, deeper));
      const doubled = await caller.jsonPatch(path, [{ op: "copy", from: pointer, path: `${pointer}${"/a".repeat(40)}/a` }]);
      expectRefusal(doubled, 400, "[invalidPatch]");
      expectOk(await caller.get(path));
    });

    requirement("errors.unsafe-text", "may hold no U+0000 and no half of a character, in values and keys", async () => {
      const { caller } = await start();
      for (const text of ['"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udc00\\ud800"', '"\\ud83d x"']) {
        expectRefusal(await caller.post(path, groupNamed(text)), 400, "[invalid]group.name");
        expectRefusal(
          await caller.post(path, `{"group":{"name":"G","data":{"a":[1,${text}]}}}`),
          400,
          "[invalid]group.data.a[1]",
        );
        expectRefusal(await caller.post(path, `{"group":{"name":"G","data":{${text}:1}}}`), 400, "[invalid]group.data");
        expectRefusal(await caller.post("/api/group/search", `{"search":{"name":${text}}}`), 400, "[invalid]search.name");
      }
      expectRefusal(await caller.get("/api/group/search?name=%00"), 400, "[invalid]name");
      expect(expectOk(await caller.post(path, groupNamed('"\\ud83d\\ude42"'))).at("group.name")).toBe("🙂");
    });

    requirement(
      "errors.proto",
      "may hold no key __proto__ anywhere, while constructor and prototype are keys of data",
      async () => {
        const { caller } = await start();
        expectRefusal(await caller.post(path, '{"__proto__":{"group":{"name":"G"}}}'), 400, "[invalid]__proto__");
        expectRefusal(
          await caller.post(path, '{"group":{"name":"G","data":{"a":[{"__proto__":1}]}}}'),
          400,
          "[invalid]group.data.a[0].__proto__",
        );
        const data = { constructor: { prototype: { polluted: true } }, prototype: 1, hasOwnProperty: 2 };
        expect(expectOk(await caller.post(path, { group: { name: "G", data } })).at("group.data")).toEqual(data);
        expect(
          expectOk(await caller.patch(path, { group: { data: { constructor: { a: 1 } } } })).at("group.data.constructor"),
        ).toEqual({
          prototype: { polluted: true },
          a: 1,
        });
        expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
      },
    );

    requirement("errors.duplicate-keys", "counts with the last of duplicate keys", async () => {
      const { caller } = await start();
      const answer = expectOk(await caller.post(path, '{"group":{"name":"first","name":"last"},"group":{"name":"really last"}}'));
      expect(answer.at("group.name")).toBe("really last");
    });

    requirement("errors.never-500", "may hold numbers that JSON can hold only", async () => {
      const { caller } = await start();
      expectRefusal(await caller.post(path, '{"group":{"name":"G","data":{"a":1e999}}}'), 400, "[invalid]group.data.a");
      expect(expectOk(await caller.post(path, '{"group":{"name":"G","data":{"a":-0,"b":1e21,"c":5e-324}}}')).text).toContain(
        '{"a":0,"b":1e+21,"c":5e-324}',
      );
    });
  });

  describe("the bytes of a body", () => {
    requirement("errors.utf8", "are refused when they are not UTF-8", async () => {
      const world = await start();
      const inName = (bytes: readonly number[]): Uint8Array =>
        Buffer.concat([Buffer.from('{"group":{"name":"'), Buffer.from(bytes), Buffer.from('"}}')]);
      const bad = [[0xff], [0xc3], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82], [0x80]];
      for (const bytes of bad) expectRefusal(await sendBytes(world, inName(bytes)), 400, "[invalidText]");
      expectRefusal(await sendBytes(world, Buffer.from(`\ufeff${groupNamed('"G"')}`, "utf16le")), 400, "[invalidText]");
      expect(expectOk(await sendBytes(world, inName([0xc3, 0xa4]))).at("group.name")).toBe("ä");
    });

    requirement(
      ["errors.media-type", "errors.media-type-missing", "errors.media-type-unparsable"],
      "need a media type that the route takes",
      async () => {
        const { caller } = await start();
        const cases: [string, string][] = [
          ["", "[MissingContentType]"],
          ["json", "[InvalidContentType]"],
          ["application/json,text/plain", "[InvalidContentType]"],
          ["/", "[InvalidContentType]"],
          ["text/plain", "[UnsupportedContentType]"],
          ["application/jsonp", "[UnsupportedContentType]"],
          ["application/x-www-form-urlencoded", "[UnsupportedContentType]"],
          ["multipart/form-data; boundary=x", "[UnsupportedContentType]"],
          ["application/merge-patch+json", "[UnsupportedContentType]"],
          ["application/json-patch+json", "[UnsupportedContentType]"],
          ["__proto__/constructor", "[UnsupportedContentType]"],
        ];
        for (const [type, code] of cases)
          expectRefusal(await caller.post(path, groupNamed('"G"'), { "content-type": type }), 400, code);
        expectOk(await caller.post(path, { group: { name: "G" } }));
        for (const type of ["application/json", "APPLICATION/JSON", " application/json ; charset=utf-8", "application/json;q=1"])
          expectOk(await caller.put(path, { group: { name: "G" } }, { "content-type": type }));
      },
    );

    requirement("errors.charset", "may name UTF-8 as their charset and no other", async () => {
      const { caller } = await start();
      for (const charset of ["iso-8859-1", "utf-16", "us-ascii", '"latin1"', "utf-88"])
        expectRefusal(
          await caller.post(path, groupNamed('"G"'), { "content-type": `application/json; charset=${charset}` }),
          400,
          "[UnsupportedContentType]",
        );
      expectOk(await caller.post(path, { group: { name: "G" } }));
      for (const charset of ["utf-8", "UTF-8", "utf8", '"utf-8"']) {
        const headers = { "content-type": `application/json; charset=${charset}` };
        expectOk(await caller.put(path, { group: { name: "G" } }, headers));
      }
    });

    requirement("errors.content-encoding", "may not be encoded", async () => {
      const { caller } = await start();
      for (const encoding of ["gzip", "br", "deflate", "identity, gzip", "anything"])
        expectRefusal(
          await caller.post(path, groupNamed('"G"'), { "content-encoding": encoding }),
          415,
          "[UnsupportedContentEncoding]",
        );
      expectOk(await caller.post(path, groupNamed('"G"'), { "content-encoding": "identity" }));
    });

    requirement("errors.too-large", "may be as many as the limit says, however they come", async () => {
      const world = await start({ maxBodyBytes: 1_000 });
      const sized = (length: number, fill = "x"): string =>
        groupNamed('"G"').replace("}}", `,"data":{"a":"${fill.repeat(length)}"}}}`);
      const fits = sized(1_000 - sized(0).length);
      expect(fits).toHaveLength(1_000);
      for (const send of [
        (text: string) => world.caller.post(path, text),
        (text: string) => sendBytes(world, Buffer.from(text)),
        (text: string) => sendStream(world, [text.slice(0, 500), text.slice(500)]),
      ]) {
        expectOk(await send(fits));
        expectOk(await world.caller.delete(path));
        for (const text of [`${fits} `, sized(5_000), sized(500, "ä"), " ".repeat(1_001)]) {
          const answer = await send(text);
          expectRefusal(answer, 413, "[tooLarge]");
          expect(answer.headers.connection).toBe("close");
        }
      }
      expectRefusal(await sendStream(world, [fits], { "content-length": "1001" }), 413, "[tooLarge]");
      expectRefusal(await world.caller.patch(path, sized(5_000)), 413, "[tooLarge]");
    });
  });
});
