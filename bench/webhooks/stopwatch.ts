import type { Measured } from './contestants.ts';
import { serverTime } from './server-time.ts';

/** Starts measuring; the returned function ends it. */
export function stopwatch(dataDir: string): () => Measured {
  const serverBefore = serverTime(dataDir);
  const processBefore = process.cpuUsage();
  const startedAt = performance.now();
  return () => {
    const seconds = (performance.now() - startedAt) / 1_000;
    const { user, system } = process.cpuUsage(processBefore);
    const serverMicros = (serverTime(dataDir) - serverBefore) * 1e6;
    return { seconds, processorMicros: user + system, serverMicros };
  };
}
