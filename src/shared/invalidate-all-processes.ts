import type { StorageSignals } from "../ports/storage.js";

/**
 * Functions that make this process and all others on the same storage forget something, made of functions that make this one forget it.
 * Other processes get the message soon, or not at all: cached values must also expire after a moment.
 */
export function invalidateAllProcesses<Word extends string>(
  signals: StorageSignals | undefined,
  forgetHere: Readonly<Record<Word, () => void>>,
): Readonly<Record<Word, () => void>> {
  if (signals === undefined) return forgetHere;
  const here = new Map(Object.entries<() => void>(forgetHere));
  signals.listen((word) => {
    if (word !== undefined) here.get(word)?.();
    else for (const forget of here.values()) forget();
  });
  const everywhere = [...here].map(([word, forget]) => [word, toEverywhere(signals, word, forget)] as const);
  return Object.fromEntries(everywhere) as Record<Word, () => void>;
}

function toEverywhere(signals: StorageSignals, word: string, forget: () => void): () => void {
  return () => {
    forget();
    signals.send(word);
  };
}
