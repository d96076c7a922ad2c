const shown: ReadonlySet<string> = new Set(["code", "name"]);
const maxDepth = 8;

/**
 * An error as everybody may see it. Drivers and libraries keep rows, parameters and tokens in members of their errors, and loggers print
 * all members: of such an error a copy is returned, with its name, message, stack and code, and its causes likewise. Other errors are
 * returned as they are.
 */
export function toPlainCause(thrown: unknown): unknown {
  return plain(thrown, 0);
}

function plain(thrown: unknown, depth: number): unknown {
  if (!(thrown instanceof Error))
    return typeof thrown === "object" && thrown !== null ? new Error("What was thrown is no error.") : thrown;
  const cause = thrown.cause === undefined || depth === maxDepth ? undefined : plain(thrown.cause, depth + 1);
  if (isPlain(thrown) && cause === thrown.cause) return thrown;
  const copy = new Error(thrown.message, cause === undefined ? undefined : { cause });
  const { code } = thrown as NodeJS.ErrnoException;
  const members = { name: thrown.name, stack: thrown.stack, ...(typeof code === "string" && { code }) };
  for (const [name, value] of Object.entries(members))
    Object.defineProperty(copy, name, { value, configurable: true, writable: true });
  return copy;
}

function isPlain(error: Error): boolean {
  return !(error instanceof AggregateError) && Object.keys(error).every((name) => shown.has(name));
}
