/** Why a patch was refused. */
export type PatchErrorReason = "invalid" | "testFailed" | "forbiddenKey" | "tooManyOperations" | "tooLarge";

/**
 * The only thing the functions of this folder throw on purpose: a patch that is malformed or does not fit its document.
 * `path` is written as field errors write it (`group.data.x`). Neither it nor the message holds content of the document.
 */
export class PatchError extends Error {
  readonly reason: PatchErrorReason;
  readonly path: string | undefined;

  constructor(reason: PatchErrorReason, message: string, path?: string) {
    super(message);
    this.name = "PatchError";
    this.reason = reason;
    this.path = path;
  }
}
