import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * Processor seconds of the PostgreSQL with this data folder so far. Its processes have that working directory; ended
 * ones count for their parent. 0 without /proc.
 */
export function serverTime(dataDir: string): number {
  let ticks = 0;
  for (const pid of processes()) {
    try {
      if (!readlinkSync(`/proc/${pid}/cwd`).startsWith(dataDir)) continue;
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      ticks += fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    } catch {
      // The process has ended meanwhile.
    }
  }
  return ticks / 100;
}

function processes(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}
