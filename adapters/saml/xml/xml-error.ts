/** A refused document. The message is for the log and contains nothing of the document. */
export class XmlError extends Error {
  override readonly name = "XmlError";
}
