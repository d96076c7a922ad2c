import crypto, { type KeyPairKeyObjectResult, type RSAKeyPairKeyObjectOptions } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { promisify } from "node:util";
import { isLong } from "./properties.js";

/** As many keys of one service are of different pairs. */
const size = 6;

const marker = Symbol.for("latchkey.tests.rsaPairs");

/**
 * Has Node answer one of some RSA pairs, in turn, where a service generates a pair of 2,048 bits: each provider does when it is started, and to
 * generate one takes 100 ms of a processor. Full runs generate each.
 */
function sharePairs(): void {
  const generate = crypto.generateKeyPair;
  if (isLong || Reflect.has(generate, marker)) return;
  const generateFresh = promisify(generate) as (type: string, options: object) => Promise<KeyPairKeyObjectResult>;
  const pairs: Promise<KeyPairKeyObjectResult>[] = [];
  let count = 0;
  const generateOrShare = (type: string, options: RSAKeyPairKeyObjectOptions): Promise<KeyPairKeyObjectResult> => {
    if (type !== "rsa" || options.modulusLength !== 2_048) return generateFresh(type, options);
    const place = count++ % size;
    pairs[place] ??= generateFresh(type, options);
    return pairs[place];
  };
  const shared = (...given: Parameters<typeof generate>): void => generate(...given);
  Object.assign(shared, { [promisify.custom]: generateOrShare, [marker]: true });
  crypto.generateKeyPair = shared as typeof generate;
  syncBuiltinESMExports();
}

sharePairs();
