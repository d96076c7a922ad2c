class RolledBack<T> extends Error {
  readonly value: T;
  constructor(value: T) {
    super("The transaction was rolled back on purpose.");
    this.value = value;
  }
}

/**
 * Runs a transaction whose work may call `rollBack`: nothing of it is stored then, and this resolves with the value given to `rollBack`.
 * A storage rolls back work that throws, so an error carries the value.
 */
export async function runWithRollback<T, Value>(
  transaction: (rollBack: (value: Value) => never) => Promise<T>,
): Promise<T | Value> {
  let last: RolledBack<Value> | undefined;
  try {
    return await transaction((value) => {
      last = new RolledBack(value);
      throw last;
    });
  } catch (error) {
    if (last !== undefined && error === last) return last.value;
    throw error;
  }
}
