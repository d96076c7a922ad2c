/** The process that runs scripts in QuickJS. Node starts it with the files of the library, of its engine, and of the engine's WebAssembly. */
import { readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { pathToFileURL } from "node:url";
import type { QuickJSWASMModule } from "quickjs-emscripten-core";
import { openProcessLine } from "../lambda-guest/process-line.ts";
import { type CallHost, type GuestLine, serve } from "../lambda-guest/serve.ts";
import { describe } from "./engine-fault.ts";
import { QuickJsRealm } from "./quickjs-realm.ts";

/** What the types of Node leave out. */
interface Compiler {
  readonly Module: new (bytes: Uint8Array) => WebAssembly.Module;
}

const [coreFile = "", variantFile = "", wasmFile = ""] = process.argv.slice(2);
type Engine = { readonly default: typeof import("@jitl/quickjs-wasmfile-release-sync") };
const loading = [coreFile, variantFile].map((file) => import(pathToFileURL(file).href));
const [library, { default: engine }] = (await Promise.all(loading)) as [typeof import("quickjs-emscripten-core"), Engine];
// Compiled once, although each realm has an instance, and so a memory, of its own.
const { WebAssembly: wasm } = globalThis as { readonly WebAssembly?: Compiler };
if (wasm === undefined) throw new Error("This Node has no WebAssembly.");
const wasmModule = new wasm.Module(readFileSync(wasmFile));
const ownVariant = library.newVariant(engine.default, { wasmModule });

let isWarm = false;
/** Realms that were made since the last collection. */
let created = 0;
const maxCreated = 8;
const warmHeapMebibytes = 16;

// Callers that wait for the host's own answers go first.
setPriority(5);

const line = openProcessLine();
// Other threads make better machine code meanwhile, which is no work of the script that happens to run.
const own: GuestLine = { ...line, workedMilliseconds: () => workedByThread() ?? line.workedMilliseconds() };

function workedByThread(): number | undefined {
  if (process.threadCpuUsage === undefined) return undefined;
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

serve(own, (realmSource, settings) => {
  let spare: QuickJSWASMModule | undefined;
  const createRealm = (instance: QuickJSWASMModule, heapMebibytes: number, callHost: CallHost): QuickJsRealm =>
    new QuickJsRealm({ instance, heapMebibytes, realmSource, settings, callHost });
  return {
    prepare: async () => {
      if (spare !== undefined) return;
      const isFirst = !isWarm;
      isWarm = true;
      spare = await library.newQuickJSWASMModuleFromVariant(ownVariant);
      if (!isFirst) return;
      // The first realm takes far longer than others: the machine code is made for it.
      createRealm(spare, warmHeapMebibytes, () => "{}").warmUp();
      spare = await library.newQuickJSWASMModuleFromVariant(ownVariant);
    },
    createRealm: (heapMebibytes, callHost) => {
      const instance = spare;
      if (instance === undefined) throw new Error("No engine was prepared.");
      spare = undefined;
      created++;
      return createRealm(instance, heapMebibytes, callHost);
    },
    describe,
    abandon: (realm) => realm.dispose(),
    // The collector sees how few bytes of its own heap an instance takes, and would let them pile up.
    rest: () => {
      if (created < maxCreated) return;
      created = 0;
      globalThis.gc?.();
    },
  };
});
