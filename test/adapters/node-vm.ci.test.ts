import { describeLambdaRunner } from "latchkey/contract";
import { nodeVmRunner } from "latchkey/runners";

// What fills its memory takes seconds to fill 128 MiB.
const threadMebibytes = 32;

describeLambdaRunner("contexts in threads, a frozen realm for each tenant", () => nodeVmRunner({ threadMebibytes }));
describeLambdaRunner("contexts in threads, a context for each call", () =>
  nodeVmRunner({ isolation: "context", threadMebibytes }),
);
