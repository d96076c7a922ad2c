import { describe, expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { hosts } from "./support/hosts.js";
import { apiKey, createTestService } from "./support/service.js";

describe.each(hosts)("a body that is too long, at $name", (host) => {
  requirement("sizes.drained", "is answered 413, whether its length is announced or not", async () => {
    const { identity, logged } = await createTestService();
    await using running = await host.start([{ identity, basePath: "" }]);
    const megabyte = new Uint8Array(1_048_576).fill(32);
    const chunked = (): ReadableStream<Uint8Array> => ReadableStream.from(Array<Uint8Array>(6).fill(megabyte));
    for (let round = 0; round < 5; round++)
      for (const body of [new Uint8Array(6 * 1_048_576).fill(32), chunked()]) {
        const response = await fetch(`http://127.0.0.1:${running.port}/api/group`, {
          method: "POST",
          headers: { authorization: apiKey, "content-type": "application/json" },
          body,
          duplex: "half",
        } as RequestInit);
        expect(response.status).toBe(413);
        expect(await response.text()).toContain("[tooLarge]");
      }
    expect(logged).toEqual([]);
    await identity.close();
  });
});
