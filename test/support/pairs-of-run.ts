import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  generateKeyPairSync,
  type KeyPairKeyObjectResult,
} from "node:crypto";
import { promisify } from "node:util";

const variable = "LATCHKEY_TEST_PAIRS";

// Tests use the first ones by number, and services take the others in turn, so no service uses a test's pair.
const numbered = 4;
const inTurn = 6;

const options = { modulusLength: 2_048 } as const;

/** Makes the RSA pairs that the processes of a run share: generating one takes 100 ms of CPU time. */
export async function beginPairsOfRun(): Promise<void> {
  const generate = promisify(generateKeyPair);
  const pairs = await Promise.all(Array.from({ length: numbered + inTurn }, () => generate("rsa", options)));
  const texts = pairs.map(({ privateKey }) => privateKey.export({ type: "pkcs8", format: "pem" }));
  process.env[variable] = JSON.stringify(texts);
}

const read: KeyPairKeyObjectResult[] = [];

/** A shared RSA pair of 2,048 bits, by number from 0 to 3; generated in a process outside of a run. */
export function pairOfRun(number: number): KeyPairKeyObjectResult {
  const pair = read[number] ?? readPair(number);
  read[number] = pair;
  return pair;
}

let taken = 0;

/** A shared pair that differs from the last five. */
export function nextPairOfRun(): KeyPairKeyObjectResult {
  return pairOfRun(numbered + (taken++ % inTurn));
}

/** An RSA pair: a shared one for 2,048 bits, else a new one. */
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
