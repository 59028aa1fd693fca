import { readFileSync } from 'node:fs';
import { afterAll } from 'vitest';
import './file-times.ts';

// Linux counts in hundredths of a second for every program.
const TICK_MS = 10;

/** Measures from now to the end of the file's last hook. */
export function recordsCpu(): void {
  const before = cpuMs();
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads the fixtures that a hook wants off its pattern.
  afterAll(({}, file) => {
    file.meta.cpuMs = cpuMs() - before;
  });
}

/** The time of this process and of its ended child processes; outside Linux of this process only. */
function cpuMs(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // utime, stime, cutime, cstime; before them is the command's name, which may contain spaces.
    const ticks = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15);
    return ticks.reduce((sum, value) => sum + Number(value), 0) * TICK_MS;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
}
