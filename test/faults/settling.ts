import { setTimeout as sleep } from 'node:timers/promises';

interface Standing {
  readonly isSettled: boolean;
  /** Anything that differs when something has gone on. */
  readonly progress: string;
}

interface Settling {
  readonly look: () => Promise<Standing>;
  /** Moves the time; called when nothing goes on by itself. */
  readonly leap: () => Promise<void>;
  readonly withinMs: number;
  /** How long nothing may go on before the time is moved. */
  readonly stillMs: number;
  readonly everyMs: number;
}

/**
 * Waits until what was begun has ended. Time is moved past leases and tries that are waited for, and only when
 * nothing goes on by itself: it would leap past deadlines otherwise.
 * @returns whether it settled in time
 */
export async function settle(settling: Settling): Promise<boolean> {
  const { look, leap, withinMs, stillMs, everyMs } = settling;
  const deadline = performance.now() + withinMs;
  let progress = '';
  let progressedAt = performance.now();
  while (performance.now() < deadline) {
    const standing = await look();
    if (standing.isSettled) return true;
    if (standing.progress !== progress) {
      ({ progress } = standing);
      progressedAt = performance.now();
    } else if (performance.now() - progressedAt > stillMs) {
      await leap();
      progressedAt = performance.now();
    }
    await sleep(everyMs);
  }
  return false;
}
