import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/times/longest-first.ts';
import { TimesReporter } from './test/times/times-reporter.ts';

// Workers compile the packages of node_modules once, not in every run.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('node_modules/.cache/rinpath/compiled', import.meta.url),
);

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/each-file.ts'],
    include: ['src/**/*.spec.ts', 'test/**/*.spec.ts'],
    reporters: ['default', new TimesReporter()],
    sequence: { sequencer: LongestFirst },
    // Two cores are shared by the tests, the service and PostgreSQL; most of the time a test waits.
    maxWorkers: 3,
    // A worker keeps the modules it has loaded: every file would load some 1,000 again.
    isolate: false,
    // Megabytes. Loading the modules fills the default many times over.
    execArgv: ['--min-semi-space-size=16', '--max-semi-space-size=32'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
  },
});
