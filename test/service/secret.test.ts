import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIdentityService, type IdentityService } from "latchkey";
import { sqliteStorage } from "latchkey/sqlite";
import { afterAll, expect, test } from "vitest";

const directory = mkdtempSync(join(tmpdir(), "latchkey-"));
afterAll(() => rmSync(directory, { recursive: true }));

const start = (secret: string | readonly string[]): Promise<IdentityService> =>
  createIdentityService({ storage: sqliteStorage({ filename: join(directory, "identity.db") }), secret });
const first = "the first secret, long enough to be one";
const second = "the second secret, long enough to be one";

test("a start with a secret that opens nothing is refused, and one with both goes on", async () => {
  await (await start(first)).close();
  await expect(start(second)).rejects.toThrow("The secret does not open");
  const both = await start([second, first]);
  await both.close();
  await expect(start(second)).rejects.toThrow("identity.secrets.rotate()");
  const rotating = await start([second, first]);
  expect(await rotating.secrets.rotate()).toMatchObject({ left: 0 });
  await rotating.close();
  await (await start(second)).close();
  await expect(start(first)).rejects.toThrow("secret: [new, old]");
});
