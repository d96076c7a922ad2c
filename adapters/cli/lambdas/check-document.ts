import type { ConfigDocument } from "latchkey";
import { isObject } from "../../internal/objects.js";
import type { CommandCall } from "../command/command.js";
import { locateErrors } from "../command/configuration.js";
import { openUrl } from "../command/open-service.js";
import type { ReadDocument } from "../command/read-documents.js";
import { describeRecord } from "./folder-document.js";

/**
 * Validates a document like a push, in an empty database. Skips comparisons with stored lambdas, and the scripts, which the test
 * cases run.
 * @throws UsageError with all errors, by record.
 */
export async function checkDocument(call: CommandCall, { document, locate }: ReadDocument): Promise<void> {
  const text = (name: string): string | undefined => (name === "database" ? "memory:" : call.text(name));
  const identity = await openUrl({ ...call, text });
  const { lambdas } = document as { readonly lambdas?: unknown };
  const all: readonly unknown[] = Array.isArray(lambdas) ? lambdas : [];
  const withName = (path: string): string => {
    const [whole = "", index = ""] = /^lambdas\[(\d+)\]/.exec(path) ?? [];
    return describeRecord(locate(path), whole === "" ? undefined : all[Number(index)]);
  };
  const checked = Array.isArray(lambdas) ? { ...document, lambdas: all.map((one) => withoutStored(one, all)) } : document;
  try {
    await locateErrors({ document, locate: withName }, identity.config.plan(checked as ConfigDocument));
  } finally {
    await identity.close();
  }
}

// A script that every type accepts.
const acceptedBody = ["populate", "reconcile", "convert", "validate", "checkRequired"]
  .map((name) => `function ${name}() {}`)
  .join("\n");

function withoutStored(lambda: unknown, all: readonly unknown[]): unknown {
  if (!isObject(lambda)) return lambda;
  const { body, chain, modules, rollout, ...others } = lambda;
  const isScript = typeof body === "string" && body.trim() !== "";
  return {
    ...others,
    ...(body !== undefined && { body: isScript ? acceptedBody : body }),
    ...(chain !== undefined && { chain: withoutUnknown(chain, all) }),
    ...(modules !== undefined && { modules: withoutVersions(modules, all) }),
    ...(!isObject(rollout) && rollout !== undefined && { rollout }),
  };
}

// Other lambdas may be stored already.
function withoutUnknown(chain: unknown, all: readonly unknown[]): unknown {
  return Array.isArray(chain) ? chain.filter((name) => typeof name !== "string" || isNamed(all, name)) : chain;
}

function withoutVersions(modules: unknown, all: readonly unknown[]): unknown {
  if (!Array.isArray(modules)) return modules;
  return modules
    .filter((module) => !isObject(module) || typeof module.lambdaId !== "string" || isNamed(all, module.lambdaId))
    .map((module: unknown) => {
      if (!isObject(module) || !["number", "string"].includes(typeof module.version)) return module;
      const { version: _stored, ...others } = module;
      return others;
    });
}

function isNamed(all: readonly unknown[], name: string): boolean {
  return all.some((one) => isObject(one) && (one.name === name || one.id === name));
}
