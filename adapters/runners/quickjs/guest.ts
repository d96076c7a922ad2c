/**
 * The process that runs scripts in QuickJS. Its arguments are the files of the library, of the engine, and of the engine's
 * WebAssembly.
 */
import { readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { pathToFileURL } from "node:url";
import type { QuickJSWASMModule } from "quickjs-emscripten-core";
import { openProcessLine } from "../lambda-guest/process-line.ts";
import { type CallHost, type GuestLine, serve } from "../lambda-guest/serve.ts";
import { describe } from "./engine-fault.ts";
import { QuickJsRealm } from "./quickjs-realm.ts";

/** A part that the types of Node lack. */
interface Compiler {
  readonly Module: new (bytes: Uint8Array) => WebAssembly.Module;
}

const [coreFile = "", variantFile = "", wasmFile = ""] = process.argv.slice(2);
type Engine = { readonly default: typeof import("@jitl/quickjs-wasmfile-release-sync") };
const loading = [coreFile, variantFile].map((file) => import(pathToFileURL(file).href));
const [library, { default: engine }] = (await Promise.all(loading)) as [typeof import("quickjs-emscripten-core"), Engine];
// Compiled once; each realm has its own instance and memory.
const { WebAssembly: wasm } = globalThis as { readonly WebAssembly?: Compiler };
if (wasm === undefined) throw new Error("This Node has no WebAssembly.");
const wasmModule = new wasm.Module(readFileSync(wasmFile));
const ownVariant = library.newVariant(engine.default, { wasmModule });

let isWarm = false;
/** Realms created since the last collection. */
let created = 0;
const maxCreated = 8;
const warmHeapMebibytes = 16;

// Requests to the host itself have priority.
setPriority(5);

const line = openProcessLine();
// Compilation in other threads must not count as work of the script.
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
      // The first realm takes far longer than others, because its machine code is compiled.
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
    // The collector sees only the few bytes of an instance in its own heap, and would let instances accumulate.
    rest: () => {
      if (created < maxCreated) return;
      created = 0;
      globalThis.gc?.();
    },
  };
});
