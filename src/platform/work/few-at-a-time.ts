const MAX_CHUNKS = 500;

/** @param step processes a chunk and returns the next start; null after the last */
export async function inChunks<Position>(
  first: Position,
  step: (after: Position) => Promise<Position | null>,
): Promise<void> {
  let after: Position | null = first;
  for (let chunk = 0; chunk < MAX_CHUNKS && after !== null; chunk += 1) after = await step(after);
}

/** The result of `work`, or of `late` after `ms`. The work itself continues. */
export async function within<Result, Late>(
  ms: number,
  work: Promise<Result>,
  late: () => Late,
): Promise<Result | Late> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    return await Promise.race([work, deadline.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * @param run an error reaches the caller, while other items continue
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
