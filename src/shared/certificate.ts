const begin = "-----BEGIN CERTIFICATE-----";
const end = "-----END CERTIFICATE-----";

/** Whether a text is one X.509 certificate in PEM or several, and nothing else, such as the private key of one. */
export function isCertificatePem(text: string): boolean {
  const [rest = "", ...blocks] = text.split(end).reverse();
  return rest.trim() === "" && blocks.length > 0 && blocks.every((block) => isCertificate(block.trim()));
}

function isCertificate(block: string): boolean {
  if (!block.startsWith(begin)) return false;
  try {
    // Asked for here: a start that checks no certificate need not load what reads them.
    new (process.getBuiltinModule("node:crypto").X509Certificate)(`${block}\n${end}`);
    return true;
  } catch {
    return false;
  }
}
