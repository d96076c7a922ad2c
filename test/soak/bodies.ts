/**
 * `npm run soak:bodies -- [--storage sqlite|postgres|memory] [--records 100000] [--only TEXT] [--short]`: sends the largest and the most wrong body under 1 MiB
 * for every list, map and text of every operation, reads and removals besides, to a service with that many records, with four credentials. No request may take over 2 s,
 * block the event loop over 200 ms, delay a light request beside it over 1 s, answer more than 64 MiB, or be a 5xx. What is over a limit in time is sent
 * once more and counts when it is so again, and the process worked for half of it: other processes count for nothing. `--short` sends a part to few records, and times decide nothing.
 */
import { parseArgs } from "node:util";
import { keys } from "./bodies/fill.ts";
import { idOf } from "./bodies/ids.ts";
import { openPlace, type StorageName, storages } from "./bodies/places.ts";
import { Report } from "./bodies/report.ts";
import { anonymousBytes, bodyRequests, maxBytes, readRequests, removalRequests, type SoakRequest } from "./bodies/requests.ts";
import { globalKey, startServer } from "./bodies/running-server.ts";

const { values: given } = parseArgs({
  options: {
    storage: { type: "string", default: "sqlite" },
    records: { type: "string" },
    only: { type: "string", default: "" },
    short: { type: "boolean", default: false },
  },
});
const storage = storages.find((name) => name === given.storage);
if (storage === undefined) throw new Error(`--storage is one of ${storages.join(", ")}.`);
await run(storage, Number(given.records ?? (given.short ? 1_000 : 100_000)));

interface Credential {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes?: number;
}

async function run(name: StorageName, records: number): Promise<void> {
  const credentials: readonly Credential[] = [
    { name: "global key", headers: { authorization: globalKey, "x-service-tenantid": idOf("tenant", 0) } },
    { name: "key of a tenant", headers: { authorization: keys.tenant } },
    { name: "restricted key", headers: { authorization: keys.restricted } },
    { name: "no credential", headers: {}, bytes: anonymousBytes },
  ];
  console.info(`${records} records on ${name}`);
  const server = await startServer(await openPlace(name, records));
  const report = new Report(!given.short);
  server.startProbe(`/api/group/${idOf("probe", 0)}`);
  await server.measure();
  let number = 1_000_000;

  const send = async (request: SoakRequest, { headers, name: who }: Credential): Promise<void> => {
    const all = { ...headers, ...(request.type !== undefined && { "content-type": request.type }) };
    const once = async (): Promise<boolean> => {
      number++;
      const sent = { method: request.method, url: request.toUrl(number), headers: all, text: request.toText?.(number) };
      if (Buffer.byteLength(sent.text ?? "") > maxBytes) return false;
      await server.measure();
      const answer = await server.send(sent).catch((error) => ({ status: 599, bytes: 0, start: String(error) }));
      return report.add(`${request.note} (${who})`, answer, await server.measure());
    };
    if (await once()) await once();
  };

  const start = performance.now();
  for (const [index, credential] of credentials.entries()) {
    const requests = [...readRequests(), ...bodyRequests(credential.bytes)].filter(isWanted);
    for (const [at, request] of requests.entries()) if (!given.short || at % 23 === index) await send(request, credential);
    console.info(
      `${credential.name}: ${requests.length} requests, ${Math.round((performance.now() - start) / 1_000)} s since the start`,
    );
  }
  const [first] = credentials;
  if (first !== undefined) for (const request of removalRequests()) if (isWanted(request)) await send(request, first);
  await server.stop();
  process.exitCode = report.print() ? 0 : 1;
}

function isWanted({ note }: SoakRequest): boolean {
  return note.includes(given.only);
}
