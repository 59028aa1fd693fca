import { setTimeout as sleep } from 'node:timers/promises';

const READY_BOUND_MS = 30_000;
const ASK_AGAIN_MS = 500;

/** @throws Error that says how to start the service, when it is not ready within 30 s */
export async function waitUntilReady(baseUrl: string): Promise<void> {
  const end = performance.now() + READY_BOUND_MS;
  while (performance.now() < end) {
    if (await isReady(baseUrl)) return;
    await sleep(ASK_AGAIN_MS);
  }
  throw new Error(
    `The service at ${baseUrl} was not ready within 30 s. Start it with \`npm start\` in another ` +
      'terminal, or set RINPATH_BASE_URL to where it runs.',
  );
}

async function isReady(baseUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${baseUrl}/health/ready`, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}
