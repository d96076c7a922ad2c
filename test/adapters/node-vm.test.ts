import { describeLambdaRunner } from "latchkey/contract";
import { nodeVmRunner } from "latchkey/node-vm";

describeLambdaRunner("contexts in threads, a frozen realm for each tenant", () => nodeVmRunner());
describeLambdaRunner("contexts in threads, a context for each call", () => nodeVmRunner({ isolation: "context" }));
