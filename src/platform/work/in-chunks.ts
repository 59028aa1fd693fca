const MAX_CHUNKS = 500;

/**
 * Goes through a table chunk by chunk, which keeps each lock and each transaction short.
 * @param first where the first chunk begins
 * @param step does one chunk, and answers where the next one begins; null: that was the last
 */
export async function inChunks<Position>(
  first: Position,
  step: (after: Position) => Promise<Position | null>,
): Promise<void> {
  let after: Position | null = first;
  for (let chunk = 0; chunk < MAX_CHUNKS && after !== null; chunk += 1) after = await step(after);
}
