const shown: ReadonlySet<string> = new Set(["code", "name"]);
const maxDepth = 8;

/**
 * Removes unsafe members of an error: drivers and libraries store rows, parameters and tokens in members, and loggers print
 * these. Copies such an error with only its name, message, stack and code, and its causes likewise. Returns other errors
 * unchanged.
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
