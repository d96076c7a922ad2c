/**
 * Goal 25: DPoP proofs verified per second, one after the other, ours against jose with EmbeddedJWK. ES256, and twenty clients that prove
 * something in turn. Whether a proof was used before is asked of the storage by neither side.
 */
import { generateKeyPairSync, hash, sign } from "node:crypto";
import type { WorkerJob, WorkerReport } from "../harness/bundled.ts";
import { type Presented, verifyWithJose } from "../peers/embedded-jwk.ts";

interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface ProofModule {
  readonly ProofVerifier: new (
    context: object,
  ) => {
    verify(request: Request, bound: { readonly token: string; readonly thumbprint: string }): Promise<string | undefined>;
  };
}

interface Sample extends Presented {
  readonly request: Request;
  readonly bound: { readonly token: string; readonly thumbprint: string };
}

const { ProofVerifier }: ProofModule = await import(String(process.env.BENCH_MODULE));
const now = Math.floor(Date.now() / 1_000) * 1_000;
const url = "https://id.example.com/api/group/2f7a1c0e-1111-4222-8333-444455556666";
const method = "GET";
const verifier = new ProofVerifier({ clock: () => now, urlOf: () => url, keepUse: async () => true });

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

const makeSamples = (client: number): Sample[] => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const jwk = publicKey.export({ format: "jwk" });
  const { crv, kty, x, y } = jwk;
  const thumbprint = hash("sha256", JSON.stringify({ crv, kty, x, y }), "base64url");
  const token = `token.of.client-${client}`.padEnd(700, "x");
  return Array.from({ length: 20 }, (_, index) => {
    const claims = {
      jti: `${client}-${index}`,
      htm: method,
      htu: url,
      iat: now / 1_000,
      ath: hash("sha256", token, "base64url"),
    };
    const input = `${encode({ typ: "dpop+jwt", alg: "ES256", jwk })}.${encode(claims)}`;
    const signature = sign("sha256", Buffer.from(input), { key: privateKey, dsaEncoding: "ieee-p1363" });
    const proof = `${input}.${signature.toString("base64url")}`;
    const request = { method, path: "", query: "", headers: { dpop: proof } };
    return { proof, method, url, token, thumbprint, now, request, bound: { token, thumbprint } };
  });
};

const byClient = Array.from({ length: 20 }, (_, client) => makeSamples(client));
const samples = byClient[0]?.flatMap((_, index) => byClient.flatMap((ofClient) => ofClient[index] ?? [])) ?? [];

const work = {
  base: (sample: Sample): Promise<boolean> => verifyWithJose(sample),
  ours: async ({ request, bound }: Sample): Promise<boolean> => (await verifier.verify(request, bound)) === bound.thumbprint,
} as const;

const check = async (): Promise<void> => {
  const [first] = samples;
  if (first === undefined) throw new Error("there are no proofs");
  const wrong = { ...first, proof: first.proof.replace(/..$/, "AA"), request: { ...first.request, headers: { dpop: "x.y.z" } } };
  for (const side of ["ours", "base"] as const) {
    if (!(await work[side](first))) throw new Error(`${side} refuses a good proof`);
    if (await work[side](wrong).catch(() => false)) throw new Error(`${side} takes a bad proof`);
  }
};

let next = 0;
const roundsPerTurn = 16;

/** Milliseconds of one turn. */
const timeTurn = async (side: keyof typeof work): Promise<number> => {
  const start = performance.now();
  for (let round = 0; round < roundsPerTurn; round++) {
    const sample = samples[next++ % samples.length];
    if (sample === undefined || !(await work[side](sample))) throw new Error(`${side} refused a good proof`);
  }
  return performance.now() - start;
};

const run = async ({ seconds }: WorkerJob): Promise<WorkerReport> => {
  const spent = { ours: 0, base: 0 };
  let turns = 0;
  for (; spent.ours + spent.base < seconds * 1_000; turns++) {
    const order = turns % 2 === 0 ? (["ours", "base"] as const) : (["base", "ours"] as const);
    for (const side of order) spent[side] += await timeTurn(side);
  }
  const rounds = turns * roundsPerTurn * 1_000;
  return { ours: rounds / spent.ours, base: rounds / spent.base };
};

await check();
process.on("message", async (job: WorkerJob) => process.send?.(await run(job)));
