import ivm from "isolated-vm";
import type { ConsoleLine, LambdaOutcome, LambdaRun, LambdaRunner } from "latchkey";

/** The runner of the tests. */
export function testRunner(): LambdaRunner {
  return { run, readState: () => ({ guests: 0, waiting: 0, killed: 0 }), close: async () => undefined };
}

// A new isolate for each run, in this process.
async function run({ script, argumentsJson, limits, host }: LambdaRun): Promise<LambdaOutcome> {
  const isolate = new ivm.Isolate({ memoryLimit: limits.heapMebibytes });
  try {
    const context = await isolate.createContext();
    const call = new ivm.Reference(async (name: string, args: string) => {
      try {
        return `{"value":${(await host?.call(name, args)) ?? "null"}}`;
      } catch (error) {
        return JSON.stringify({ error: (error as Error).message });
      }
    });
    await context.global.set("$call", call);
    const names = JSON.stringify(host?.names ?? []);
    const { body, functionName, parameters, changes } = script;
    const source = `(async () => { const lines = []; const write = (level) => (...all) => lines.push({ level, text: all.join(" ") });
      const console = { log: write("info"), info: write("info"), warn: write("warn"), error: write("error"), debug: write("debug") };
      const hostCall = (name) => (...args) => { const answer = JSON.parse($call.applySyncPromise(undefined, [name, JSON.stringify(args)])); if ("error" in answer) throw new Error(answer.error); return answer.value ?? undefined; };
      const host = {}; let fetch; const secrets = { get: hostCall("secrets.get") };
      for (const name of ${names}) { if (name.startsWith("host.")) host[name.slice(5)] = hostCall(name); if (name === "fetch") fetch = hostCall(name); }
      const args = ${argumentsJson};
      const done = (outcome) => JSON.stringify({ ...outcome, console: lines });
      try { const f = (function () { "use strict"; ${body}
      return typeof ${functionName} === "function" ? ${functionName} : undefined; })();
        if (!f) return done({ kind: "missingFunction", message: "There is no function." });
        const withSecrets = ${names}.includes("secrets.get") ? { ...args, context: { ...args.context, secrets, services: { secrets } } } : args;
        f(...${JSON.stringify(parameters)}.map((name) => withSecrets[name]));
        return done({ kind: "ok", changedJson: JSON.stringify(Object.fromEntries(${JSON.stringify(changes)}.map((name) => [name, args[name]]))) });
      } catch (error) { return done({ kind: "threw", message: String(error), line: 1, column: 1 }); } })()`;
    const text = await context.eval(source, { timeout: limits.wallClockMilliseconds, promise: true });
    return JSON.parse(text) as LambdaOutcome;
  } catch (error) {
    const message = (error as Error).message;
    const console: readonly ConsoleLine[] = [];
    return { kind: message.includes("timed out") ? "timedOut" : "syntax", message, console };
  } finally {
    isolate.dispose();
  }
}
