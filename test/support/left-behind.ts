import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, vi } from 'vitest';

/** State of a process that a spec file could leave changed for the next file. */
interface ProcessState {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly resources: ReadonlyMap<string, number>;
}

// Listening servers and child processes, as Node names them. Sockets that are kept alive end automatically.
const KINDS = ['TCPServerWrap', 'ProcessWrap'] as const;
const ENDS_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 20;

const staying = new Map<string, number>();

export function mayStay(kind: (typeof KINDS)[number], more = 1): void {
  staying.set(kind, (staying.get(kind) ?? 0) + more);
}

function processState(): ProcessState {
  const active = process.getActiveResourcesInfo();
  const count = (kind: string) =>
    active.filter((name) => name === kind).length - (staying.get(kind) ?? 0);
  return {
    environment: { ...process.env },
    resources: new Map(KINDS.map((kind) => [kind, count(kind)])),
  };
}

/** Describes what changed since `before`; empty when nothing did. */
function leftBehind(before: ProcessState): string[] {
  const now = processState();
  const names = new Set([...Object.keys(before.environment), ...Object.keys(now.environment)]);
  const changed = [...names].filter((name) => before.environment[name] !== now.environment[name]);
  const open = KINDS.filter((kind) => now.resources.get(kind)! > before.resources.get(kind)!);
  return [
    ...changed.map((name) => `the environment variable ${name} is another`),
    ...open.map((kind) => `there are more of ${kind} than before`),
    ...(vi.isFakeTimers() ? ['time is still faked'] : []),
  ];
}

/** A spec file fails if it leaves the shared process changed. */
export function leavesNothingBehind(): void {
  const before = processState();
  afterAll(async () => {
    const deadline = performance.now() + ENDS_WITHIN_MS;
    while (leftBehind(before).length > 0 && performance.now() < deadline)
      await sleep(LOOK_EVERY_MS);
    const left = leftBehind(before);
    if (left.length > 0)
      throw new Error(`This file leaves its process changed: ${left.join('; ')}`);
  });
}
