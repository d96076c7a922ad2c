/** Our side of goal 26: the token endpoint of the built package behind node:http, on memory storage as the peer has it. */
import { createServer } from "node:http";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { nodeHandler } from "latchkey/node";
import { makeClient, toBasic } from "../harness/clients.ts";
import { listen } from "../harness/listen.ts";
import { announceReady } from "../harness/subject.ts";

const identity = await createIdentityService({ storage: memoryStorage() });
const { clientId, clientSecret, scope } = await makeClient(identity);
const port = await listen(createServer(nodeHandler(identity)));
announceReady({ port, ids: [scope], credential: toBasic(clientId, clientSecret) });
