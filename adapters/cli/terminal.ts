import type { Terminal } from "./command.js";

/** The terminal of this process. */
export function createTerminal(): Terminal {
  // The reader closed the pipe early, as `head` does.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  return {
    print: (line) => void process.stdout.write(`${line}\n`),
    say: (line) => void process.stderr.write(`${line}\n`),
    during,
    env: process.env,
  };
}

const quickMs = 500;

// Nothing is said of what is quick, nor where nobody watches.
async function during<T>(what: string, work: Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return work;
  const began = Date.now();
  const clock = setInterval(() => {
    process.stderr.write(`\r${what} … ${Math.round((Date.now() - began) / 1_000)} s`);
  }, quickMs);
  try {
    return await work;
  } finally {
    clearInterval(clock);
    if (Date.now() - began >= quickMs) process.stderr.write(`\r${" ".repeat(what.length + 12)}\r`);
  }
}
