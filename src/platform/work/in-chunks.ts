const MAX_CHUNKS = 500;

/**
 * Works through a table with short locks and transactions.
 * @param step does one chunk and returns the start of the next; null after the last
 */
export async function inChunks<Position>(
  first: Position,
  step: (after: Position) => Promise<Position | null>,
): Promise<void> {
  let after: Position | null = first;
  for (let chunk = 0; chunk < MAX_CHUNKS && after !== null; chunk += 1) after = await step(after);
}
