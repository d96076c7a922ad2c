/** A step of a page that is right takes a moment, of a busy machine some seconds. A page that stopped answering never ends it. */
const stepLimit = 60_000;

/** Waits for one step on a page. @throws Error where the page does not answer: `page.evaluate` and keys have no limit of their own. */
export async function withinLimit<Value>(step: string, answer: PromiseLike<Value>, limit: number = stepLimit): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`The page did not answer within ${limit} ms: ${step}.`)), limit);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
    // What comes after the limit fails nothing else.
    answer.then(undefined, () => undefined);
  }
}
