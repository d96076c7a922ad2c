import { join } from "node:path";
import { sqliteStorage } from "latchkey/sqlite";
import { expect } from "vitest";
import { expectOk } from "../support/answer.js";
import { everySecret, plantings } from "../support/planted-secrets.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory, readAllFiles } from "../support/temporary.js";
import { startWorld } from "../support/world.js";

requirement(
  "secrets.nowhere",
  "secrets stand in no table, file, log, event or error, and in no answer that should not show them",
  async () => {
    const directory = makeDirectory();
    const storage = sqliteStorage({ filename: join(directory, "identity.db") });
    // With an audit of every change, so that it is searched along with all else that is kept.
    const world = await startWorld(storage, { auditChanges: true });
    for (const [place, method, path, body, isShown] of plantings) {
      const answer = expectOk(await world.caller.send(method, path, body));
      if (!isShown)
        expect({ place, found: everySecret.filter((secret) => answer.text.includes(secret)) }).toEqual({ place, found: [] });
      // The same secret in a request that is refused: unknown fields beside it, a wrong type instead of the name.
      const refused = await world.caller.send(
        method,
        path,
        JSON.parse(JSON.stringify(body).replaceAll('"name":"', '"name":7,"x":"')),
      );
      expect({ place, found: everySecret.filter((secret) => refused.status >= 400 && refused.text.includes(secret)) }).toEqual({
        place,
        found: [],
      });
    }
    const log = JSON.stringify(world.log);
    await world.identity.close();
    const bytes = readAllFiles(directory);
    for (const secret of everySecret)
      expect([secret, log.includes(secret), bytes.includes(secret)]).toEqual([secret, false, false]);
  },
);
