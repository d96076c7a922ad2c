/** Race L1: logins, with a lambda that adds claims to the token when BENCH_LAMBDA says so. */
import { createServer } from "node:http";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { nodeHandler } from "latchkey/node";
import { isolatedVmRunner } from "latchkey/runners";
import { apiKey } from "../harness/fixtures.ts";
import { listen } from "../harness/listen.ts";
import { announceReady } from "../harness/subject.ts";

const body = 'function populate(jwt, user) { jwt.plan = user.data.plan; jwt.greeting = "Hello " + user.firstName; }';
const password = "a password of the benchmark";

const identity = await createIdentityService({ storage: memoryStorage(), apiKey, lambdas: { runner: isolatedVmRunner() } });
const { lambda } = await identity.lambdas.create({ lambda: { name: "claims", type: "JWTPopulate", body } });
const lambdaConfiguration = process.env.BENCH_LAMBDA === "1" ? { accessTokenPopulateId: lambda.id } : {};
const { application } = await identity.applications.create({ application: { name: "bench", lambdaConfiguration } });
const user = { email: "ada@example.com", password, firstName: "Ada", data: { plan: "gold" } };
await identity.registrations.create({ user, registration: { applicationId: application.id } });
const port = await listen(createServer(nodeHandler(identity)));
announceReady({ port, ids: [application.id], credential: apiKey });
