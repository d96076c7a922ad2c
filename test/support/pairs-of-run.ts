import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  generateKeyPairSync,
  type KeyPairKeyObjectResult,
} from "node:crypto";
import { promisify } from "node:util";

const variable = "LATCHKEY_TEST_PAIRS";

// The first ones have numbers, and the others are taken in turn: no key of a service is one that its test names.
const numbered = 4;
const inTurn = 6;

const options = { modulusLength: 2_048 } as const;

/** Makes the RSA pairs that the processes of a run share: to generate one takes 100 ms of a processor. */
export async function beginPairsOfRun(): Promise<void> {
  const generate = promisify(generateKeyPair);
  const pairs = await Promise.all(Array.from({ length: numbered + inTurn }, () => generate("rsa", options)));
  const texts = pairs.map(({ privateKey }) => privateKey.export({ type: "pkcs8", format: "pem" }));
  process.env[variable] = JSON.stringify(texts);
}

const read: KeyPairKeyObjectResult[] = [];

/** One of the RSA pairs of a run, of 2,048 bits, by its number from 0 to 3. A process outside of a run generates it. */
export function pairOfRun(number: number): KeyPairKeyObjectResult {
  const pair = read[number] ?? readPair(number);
  read[number] = pair;
  return pair;
}

let taken = 0;

/** Another of the pairs than the five times before. */
export function nextPairOfRun(): KeyPairKeyObjectResult {
  return pairOfRun(numbered + (taken++ % inTurn));
}

/** An RSA pair: one of the run where it may have 2,048 bits, else a fresh one. */
export function newRsaPair(modulusLength: number = options.modulusLength, publicExponent = 65_537): KeyPairKeyObjectResult {
  const isUsual = modulusLength === options.modulusLength && publicExponent === 65_537;
  return isUsual ? nextPairOfRun() : generateKeyPairSync("rsa", { modulusLength, publicExponent });
}

function readPair(number: number): KeyPairKeyObjectResult {
  const texts = process.env[variable];
  if (texts === undefined) return generateKeyPairSync("rsa", options);
  const privateKey = createPrivateKey((JSON.parse(texts) as readonly string[])[number] ?? "");
  return { privateKey, publicKey: createPublicKey(privateKey) };
}
