import { build } from "esbuild";
import { expect, test } from "vitest";
import { realmSource } from "../../adapters/runners/lambda-guest/realm.js";
import { forEachEngine } from "../support/realm.js";
import { writeFiles } from "../support/temporary.js";

forEachEngine((makeRealm, engine) => {
  test(`the text of the realm works in ${engine}, bundled or not`, async () => {
    const entry = `export { realmSource } from "${process.cwd()}/adapters/runners/lambda-guest/realm.ts"; export class Headers {}`;
    const outDir = writeFiles({ "entry.ts": entry });
    await build({
      entryPoints: [`${outDir}/entry.ts`],
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: `${outDir}/entry.mjs`,
    });
    const bundled = await import(`${outDir}/entry.mjs`);
    expect(bundled.realmSource).not.toMatch(/__(name|vi|export|publicField)/);
    for (const source of [bundled.realmSource, realmSource]) {
      const realm = makeRealm({ source });
      const body = "function populate(jwt) { jwt.names = [Headers.name, typeof console.log]; console.log('%j', jwt); jwt.x.y; }";
      expect(realm.run(body)).toEqual({
        kind: "threw",
        message: "Cannot read properties of undefined (reading 'y')",
        line: 1,
        column: expect.any(Number),
        console: [{ level: "info", text: '{"names":["Headers","function"]}' }],
      });
      realm.close();
    }
  });
});
