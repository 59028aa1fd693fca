/**
 * Runs a piece of work for every item, so many side by side at most.
 * @param run handles its own errors; one that it throws is thrown, and the others go on
 * @returns the results in the order of the items
 */
export async function fewAtATime<Item, Result>(
  items: readonly Item[],
  most: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  // The workers share one iterator, so each takes the next item that no other has taken.
  const rest = items.entries();
  const worker = async () => {
    for (const [index, item] of rest) results[index] = await run(item);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  return results;
}
