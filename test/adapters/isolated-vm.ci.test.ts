import { describeLambdaRunner } from "latchkey/contract";
import { isolatedVmRunner } from "latchkey/runners";

describeLambdaRunner("isolates in child processes, a frozen realm for each tenant", () => isolatedVmRunner());
describeLambdaRunner("isolates in child processes, a context for each call", () => isolatedVmRunner({ isolation: "context" }));
