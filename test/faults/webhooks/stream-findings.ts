import type { PolledEvent } from './poller.ts';

/** Compares `GET /events` with the known events: each once, with the same bytes, and in order within a journey. */
export function streamFindings(
  polled: readonly PolledEvent[],
  known: ReadonlyMap<string, readonly string[]>,
): string[] {
  const findings: string[] = [];
  const missing = new Map(known);
  const sequences = new Map<string, number>();
  for (const { id, journeyId, sequence, digest } of polled) {
    const digests = missing.get(id) ?? [];
    if (digests.length === 0) findings.push(`${id} is in the stream again, or nowhere else`);
    if (digests.some((one) => one !== digest)) {
      findings.push(`${id} is in the stream with other bytes`);
    }
    missing.delete(id);
    const last = sequences.get(journeyId) ?? 0;
    if (sequence !== last + 1)
      findings.push(`${journeyId}: ${sequence} after ${last} in the stream`);
    sequences.set(journeyId, sequence);
  }
  for (const id of missing.keys()) findings.push(`${id} is not in the stream`);
  return findings;
}
