import { mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const TMPFS = 0x01021994;
// Many databases at once, and their write-ahead log.
const NEEDED_BYTES = 4 * 2 ** 30;

/**
 * A fresh folder for what is made of many files and thrown away, a database's above all: in memory where there is
 * room, since making a file on a disk takes about ten times the processor time.
 */
export function scratchFolder(prefix: string): string {
  return mkdtempSync(join(hasRoomInMemory() ? MEMORY : tmpdir(), prefix));
}

function hasRoomInMemory(): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY);
    return type === TMPFS && bavail * bsize > NEEDED_BYTES;
  } catch {
    return false;
  }
}
