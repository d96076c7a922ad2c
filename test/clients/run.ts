/**
 * Logs in, refreshes and logs out with published clients, at `npm start` as it is: `node test/clients/run.ts [framework …]`. Prints a line for each
 * step and ends with 1 when one failed. It installs the clients of package.json first, unless `--installed` is passed.
 */
import { browserClients } from "./browser-clients.ts";
import { openIdClients } from "./openid-clients.ts";
import { samlClients } from "./saml-clients.ts";
import { installClients, startStage } from "./stage.ts";

/** One client: named steps, each of which continues the one before. */
export type ClientRun = (step: <T>(name: string, run: () => Promise<T> | T) => Promise<T>) => Promise<void>;

const given = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const frameworks = given.length > 0 ? given : ["fastify", "express", "koa", "node", "fastify /auth"];
if (!process.argv.includes("--installed")) installClients();

let [passed, failed] = [0, 0];
for (const framework of frameworks) {
  const stage = await startStage(framework);
  try {
    for (const [name, run] of Object.entries({
      ...openIdClients(stage),
      ...browserClients(stage),
      ...(await samlClients(stage)),
    }))
      await run(async (step, work) => {
        try {
          const result = await work();
          passed++;
          console.log(`ok    ${framework} ${name}: ${step}`);
          return result;
        } catch (error) {
          failed++;
          console.log(`fails ${framework} ${name}: ${step}: ${describe(error)}`);
          throw error;
        }
      }).catch(() => undefined);
  } finally {
    stage.stop();
  }
}
console.log(`${passed} steps passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

// With all causes: libraries keep the reason there.
function describe(error: unknown): string {
  const { cause, message } = error as { readonly cause?: unknown; readonly message?: string };
  if (message === undefined) return JSON.stringify(error);
  return cause === undefined ? message : `${message} (${describe(cause)})`;
}
