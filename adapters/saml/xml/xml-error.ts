/** A document that is refused. The message is for the log: it holds nothing of the document. */
export class XmlError extends Error {
  override readonly name = "XmlError";
}
