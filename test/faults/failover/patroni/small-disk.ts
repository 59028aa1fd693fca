import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

const SIZE = '2g';

/** A file system of its own in memory, which can be full without anybody else noticing. */
export class SmallDisk {
  readonly folder: string;
  private isMounted = true;

  /** @throws Error where nothing can be mounted */
  constructor(folder: string, { uid, gid }: { uid: number; gid: number }) {
    this.folder = folder;
    mkdirSync(folder);
    const options = `size=${SIZE},mode=0700,uid=${uid},gid=${gid}`;
    run('mount', ['-t', 'tmpfs', '-o', options, 'rinpath-failover', folder]);
    process.once('exit', () => this.remove());
  }

  /** Takes all that is free. */
  async fill(): Promise<void> {
    const words = ['if=/dev/zero', `of=${this.ballast}`, 'bs=1M', 'oflag=append', 'conv=notrunc'];
    // It ends with an error, when there is nothing left; by then another process may have freed something.
    for (let times = 0; times < 2; times += 1) {
      await execute('dd', words).catch(() => undefined);
    }
  }

  clear(): void {
    rmSync(this.ballast, { force: true });
  }

  remove(): void {
    if (!this.isMounted) return;
    this.isMounted = false;
    run('umount', ['--lazy', this.folder]);
  }

  private get ballast(): string {
    return join(this.folder, 'ballast');
  }
}

function run(command: string, words: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} failed: ${stderr ?? error?.message}`);
}
