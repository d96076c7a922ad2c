// After the loss of a primary, a standby may have what the new primary never had.
import { describe, expect, test, vi } from "vitest";
import { keep } from "../contract/storage/kit.js";
import { books, tenants, tenantsToStart, toBook } from "../contract/storage/tables.js";
import { type PostgresServers, type Server, urlOf } from "../crash/topology/postgres-servers.js";
import { list, openOn, outcomesDuring, patience, startMs, startServers, untilServed } from "./support/replicas.js";

const schema = "timelines";

/** Where the log of a primary ends. */
async function endOf(servers: PostgresServers, server: Server): Promise<string> {
  return (await servers.query("select pg_current_wal_insert_lsn()", server)).trim();
}

async function hasReplayed(servers: PostgresServers, standby: Server, end: string): Promise<boolean> {
  return (await servers.query(`select pg_last_wal_replay_lsn() >= '${end}'`, standby)).startsWith("t");
}

async function untilReplayed(servers: PostgresServers, standby: Server): Promise<void> {
  const end = await endOf(servers, servers.primary);
  await vi.waitFor(async () => expect(await hasReplayed(servers, standby, end)).toBe(true), patience);
}

describe("a standby that went another way than the new primary", () => {
  const given = startServers(["b", "c"]);

  const serveNothing = async (): Promise<void> => {
    const servers = given();
    const [b, c] = servers.standbys as readonly [Server, Server];
    const before = await openOn(servers.primary, { schema });
    await keep(before, tenants, tenantsToStart);
    await untilReplayed(servers, b);
    await servers.stop(b);
    const lost = Array.from({ length: 500 }, (_, index) => toBook(`lost ${index}`));
    await keep(before, books, lost);
    await untilReplayed(servers, c);
    await servers.stop(servers.primary);
    await servers.start(b);
    await servers.promote(b);
    const storage = await openOn(b, { schema, readFrom: urlOf(c) });
    await keep(storage, books, [toBook("kept")]);
    expect(await hasReplayed(servers, c, await endOf(servers, b))).toBe(true);
    expect(await outcomesDuring(storage, async () => expect(await list(storage)).toEqual(["kept"]))).toEqual({ behind: 1 });
  };
  test("serves no read, though its log is longer", serveNothing, startMs);
});

describe("a standby that follows the new primary", () => {
  const given = startServers(["b", "c"]);

  const serve = async (): Promise<void> => {
    const servers = given();
    const [b, c] = servers.standbys as readonly [Server, Server];
    await servers.query("create role app login; grant create on database postgres to app");
    await untilReplayed(servers, b);
    await servers.stop(servers.primary);
    await servers.promote(b);
    await servers.query(`alter system set primary_conninfo = 'host=127.0.0.1 port=${b.port} user=latchkey'`, c);
    await servers.query("select pg_reload_conf()", c);
    const asApp = (server: Server): string => urlOf(server).replace("latchkey@", "app@");
    const storage = await openOn(b, { schema, connectionString: asApp(b), readFrom: asApp(c) });
    await keep(storage, tenants, tenantsToStart);
    await untilReplayed(servers, c);
    // A user without pg_read_all_stats sees the timeline once it is in the control file; others see what is received.
    const monitor = await openOn(b, { schema, readFrom: urlOf(c) });
    await untilServed(monitor);
    await servers.query("checkpoint", b);
    await untilReplayed(servers, c);
    await servers.query("checkpoint", c);
    await untilServed(storage);
    await keep(storage, books, [toBook("new")]);
    expect(await list(storage)).toEqual(["new"]);
  };
  test("serves reads again", serve, startMs);
});
