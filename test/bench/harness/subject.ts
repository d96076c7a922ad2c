/** What a server under test is told by its environment, and how it says that it is ready. */
export const settings = {
  framework: process.env.BENCH_FRAMEWORK ?? "fastify",
  storage: process.env.BENCH_STORAGE ?? "sqlite",
  groups: Number(process.env.BENCH_GROUPS ?? 100_000),
  directory: process.env.BENCH_DIR ?? ".",
  postgresUrl: process.env.TEST_POSTGRES_URL,
} as const;

const announcedIds = 1_000;

export interface Readiness {
  readonly port: number;
  /** Ids to ask for; up to 1,000 of them, evenly spread, are handed to the load generator. */
  readonly ids: readonly string[];
  readonly credential: string;
}

/** Prints `ids a,b,c` and `ready http://127.0.0.1:PORT <first id> <credential>`. */
export const announceReady = ({ port, ids, credential }: Readiness): void => {
  const step = Math.max(1, Math.floor(ids.length / announcedIds));
  console.log(`ids ${ids.filter((_, index) => index % step === 0).join(",")}`);
  console.log(`ready http://127.0.0.1:${port} ${ids[0]} ${encodeURIComponent(credential)}`);
};
