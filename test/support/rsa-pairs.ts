import crypto, { type KeyPairKeyObjectResult, type RSAKeyPairKeyObjectOptions } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { promisify } from "node:util";
import { nextPairOfRun } from "./pairs-of-run.js";
import { isLong } from "./properties.js";

const marker = Symbol.for("latchkey.tests.rsaPairs");

/**
 * Replaces Node's generation of 2,048-bit RSA pairs with the pairs of the run, in turn: each provider generates one when it
 * starts. Full runs generate each pair.
 */
function sharePairs(): void {
  const generate = crypto.generateKeyPair;
  if (isLong || Reflect.has(generate, marker)) return;
  const generateFresh = promisify(generate) as (type: string, options: object) => Promise<KeyPairKeyObjectResult>;
  const generateOrShare = async (type: string, options: RSAKeyPairKeyObjectOptions): Promise<KeyPairKeyObjectResult> =>
    type === "rsa" && options.modulusLength === 2_048 ? nextPairOfRun() : generateFresh(type, options);
  const shared = (...given: Parameters<typeof generate>): void => generate(...given);
  Object.assign(shared, { [promisify.custom]: generateOrShare, [marker]: true });
  crypto.generateKeyPair = shared as typeof generate;
  syncBuiltinESMExports();
}

sharePairs();
