import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import type { FileTimes, RunTimes } from './file-times.ts';
import { LAST_RUN, ROOT } from './places.ts';

/** Writes the times of every file of the run for `npm run test:times`. */
export class TimesReporter implements Reporter {
  private startedAt = 0;
  private busyAtStart = 0;

  onTestRunStart(): void {
    this.startedAt = performance.now();
    this.busyAtStart = busyMs();
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const times: RunTimes = {
      wallMs: performance.now() - this.startedAt,
      cores: cpus().length,
      busyMs: busyMs() - this.busyAtStart,
      files: modules.map(timesOf),
    };
    mkdirSync(dirname(LAST_RUN), { recursive: true });
    writeFileSync(LAST_RUN, JSON.stringify(times, null, 2));
  }
}

function timesOf(module: TestModule): FileTimes {
  const { collectDuration, duration } = module.diagnostic();
  const tests = [...module.children.allTests()];
  const ownMs = tests.reduce((sum, test) => sum + (test.diagnostic()?.duration ?? 0), 0);
  return {
    file: relative(ROOT, module.moduleId),
    tests: tests.length,
    importMs: Math.round(collectDuration),
    // Concurrent tests take more than their file.
    hooksMs: Math.round(Math.max(0, duration - ownMs)),
    testsMs: Math.round(Math.min(ownMs, duration)),
    cpuMs: Math.round(module.meta().cpuMs ?? 0),
  };
}

function busyMs(): number {
  return cpus().reduce(
    (sum, { times }) => sum + times.user + times.nice + times.sys + times.irq,
    0,
  );
}
