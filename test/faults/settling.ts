import { setTimeout as sleep } from 'node:timers/promises';

interface Standing {
  readonly isSettled: boolean;
  readonly progress: string;
}

interface Settling {
  readonly look: () => Promise<Standing>;
  readonly leap: () => Promise<void>;
  readonly withinMs: number;
  readonly stillMs: number;
  readonly everyMs: number;
}

/**
 * Waits until all started work has ended. The time is moved past leases and retries only if nothing progresses
 * otherwise, because it would also pass deadlines.
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
