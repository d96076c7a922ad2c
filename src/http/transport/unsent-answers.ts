import { generalError } from "../../errors/identity-error.js";
import type { ApiRequest, ApiResponse } from "../../ports/transport.js";

/** Answers of at most so many bytes are not counted: the operating system takes them at once. */
const uncountedBytes = 16_384;

/** Counts the answers that wait for their clients to read them, so that slow readers cannot fill the memory of the process. */
export class UnsentAnswers {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @throws IdentityError 503 when too much waits already, before anything is done for another request. */
  assertRoom(): void {
    if (this.#bytes >= this.#maxBytes) throw tooMuch();
  }

  /**
   * Counts a response until it is sent, where the transport reports that.
   * @throws IdentityError 503 when too many bytes would wait: only for responses to reads, since a committed change must be reported.
   */
  count({ whenSent }: ApiRequest, { body }: ApiResponse, isRead: boolean): void {
    if (whenSent === undefined || body.length * 3 <= uncountedBytes) return;
    const bytes = Buffer.byteLength(body);
    if (bytes <= uncountedBytes) return;
    if (isRead && this.#bytes + bytes > this.#maxBytes) throw tooMuch();
    this.#bytes += bytes;
    let isSent = false;
    whenSent(() => {
      if (!isSent) this.#bytes -= bytes;
      isSent = true;
    });
  }
}

function tooMuch(): Error {
  return generalError("overloaded", undefined, { headers: { "retry-after": "1" } });
}
