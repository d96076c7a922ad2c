import { describeLambdaRunner } from "latchkey/contract";
import { quickJsRunner } from "latchkey/runners";

describeLambdaRunner("QuickJS in child processes, a frozen realm for each tenant", () => quickJsRunner());
describeLambdaRunner("QuickJS in child processes, a context for each call", () => quickJsRunner({ isolation: "context" }));
