import { generateKeyPair, type KeyPairKeyObjectResult } from "node:crypto";
import { promisify } from "node:util";
import type { Random } from "../../ports/runtime.js";
import { algorithms, type GeneratedAlgorithm } from "./algorithms.js";
import { exportPem, type KeyMaterial, toPublicKeyData } from "./public-key-data.js";

/** The options of a new key. */
export interface GenerateKeyOptions {
  readonly algorithm: GeneratedAlgorithm;
  /** The bits of an RSA key; ignored for other types. */
  readonly length?: number | undefined;
}

/** Generates a key. Key pairs use another thread, RSA for up to several seconds: call it outside of transactions. */
export async function generateKey({ algorithm, length }: GenerateKeyOptions, random: Random): Promise<KeyMaterial> {
  const traits = algorithms[algorithm];
  if (traits.type === "HMAC") {
    const secret = Buffer.from(random(traits.leastBytes)).toString("base64url");
    return { type: "HMAC", algorithm, secret };
  }
  if (traits.type === "EC") return toMaterial(algorithm, await generate("ec", { namedCurve: traits.curve }));
  if (traits.type === "OKP") return toMaterial(algorithm, await generate("ed25519"));
  return toMaterial(algorithm, await generate("rsa", { modulusLength: length ?? 2_048 }));
}

const generate = promisify(generateKeyPair);

function toMaterial(algorithm: GeneratedAlgorithm, pair: KeyPairKeyObjectResult): KeyMaterial {
  const half = toPublicKeyData(pair.publicKey);
  if (half === undefined) throw new Error(`The key generated for ${algorithm} is of another kind.`);
  const { type, length, publicKey, members } = half;
  return { type, algorithm, length, publicKey, publicMembers: members, privateKey: exportPem(pair.privateKey, "pkcs8") };
}
