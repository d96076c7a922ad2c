/** Works on items one after the other. A driver that answers at once is not waited for: there may be very many. */
export async function forEach<Item>(items: readonly Item[], work: (item: Item) => void | Promise<void>): Promise<void> {
  for (const item of items) {
    const done = work(item);
    if (done !== undefined) await done;
  }
}
