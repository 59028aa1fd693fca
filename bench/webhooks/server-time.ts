import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * Seconds of processor time that the PostgreSQL of a data folder has used so far: its processes stand
 * in that folder, and those that have ended count to their parent. 0 where there is no /proc.
 */
export function serverTime(dataDir: string): number {
  let ticks = 0;
  for (const pid of processes()) {
    try {
      if (!readlinkSync(`/proc/${pid}/cwd`).startsWith(dataDir)) continue;
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      ticks += fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    } catch {
      // It has ended meanwhile.
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
