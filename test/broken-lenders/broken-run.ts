import { setTimeout as sleep } from 'node:timers/promises';
import type { CaseStatus } from '../../examples/lender-check/case.ts';
import type { Outcome } from '../../examples/lender-check/suite.ts';
import type { BrokenLender } from './lenders/broken-lender.ts';
import { check } from './stage.ts';

export interface BrokenResult {
  readonly lender: BrokenLender;
  readonly failed: readonly string[] | null;
  /** Cases that were skipped because an earlier one failed. */
  readonly notRun: number;
  readonly seconds: number;
  readonly problem: string | null;
}

export interface BrokenRunOptions {
  readonly lenders: readonly BrokenLender[];
  readonly jobs: number;
  readonly timeoutMs: number;
  readonly onResult: (result: BrokenResult) => void;
}

/** Runs the suite against each lender, several at once. The results keep the order of the list. */
export async function runBroken(options: BrokenRunOptions): Promise<readonly BrokenResult[]> {
  const { lenders, jobs, timeoutMs, onResult } = options;
  const results = new Map<BrokenLender, BrokenResult>();
  const queue = [...lenders];
  const lane = async () => {
    for (let lender = queue.shift(); lender !== undefined; lender = queue.shift()) {
      const result = await runOne(lender, timeoutMs);
      results.set(lender, result);
      onResult(result);
    }
  };
  await Promise.all(Array.from({ length: jobs }, lane));
  return lenders.flatMap((lender) => results.get(lender) ?? []);
}

export function failsExactly({ lender, failed }: BrokenResult): boolean {
  return failed !== null && failed.join() === lender.fails.join();
}

/** The ids of the cases with this status. */
export function cases({ results }: Outcome, status: CaseStatus): string[] {
  return results.filter((result) => result.status === status).map(({ id }) => id);
}

async function runOne(lender: BrokenLender, timeoutMs: number): Promise<BrokenResult> {
  const begun = performance.now();
  const outcome = await ended(lender, timeoutMs);
  const seconds = (performance.now() - begun) / 1_000;
  if (typeof outcome === 'string') {
    return { lender, failed: null, notRun: 0, seconds, problem: outcome };
  }
  const notRun = cases(outcome, 'NOT_RUN').length;
  return { lender, failed: cases(outcome, 'FAILED'), notRun, seconds, problem: null };
}

async function ended(lender: BrokenLender, timeoutMs: number): Promise<Outcome | string> {
  const watch = new AbortController();
  const late = sleep(timeoutMs, `not at its end after ${timeoutMs / 1_000} s`, {
    signal: watch.signal,
  });
  try {
    return await Promise.race([check(lender), late]);
  } catch (error) {
    return error instanceof Error ? error.message : 'the suite could not be run';
  } finally {
    late.catch(() => undefined);
    watch.abort();
  }
}
