/**
 * @param run an error is thrown to the caller, while other items go on
 * @returns results in the order of the items
 */
export async function fewAtATime<Item, Result>(
  items: readonly Item[],
  most: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  // The shared iterator gives each item to one worker.
  const rest = items.entries();
  const worker = async () => {
    for (const [index, item] of rest) results[index] = await run(item);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  return results;
}
