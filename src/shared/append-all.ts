/** Appends items to a list, however many: as arguments of `push`, very many do not fit on the stack. */
export function appendAll<Item>(list: Item[], items: readonly Item[]): void {
  for (const item of items) list.push(item);
}
