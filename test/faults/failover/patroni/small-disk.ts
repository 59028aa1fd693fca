import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

const SIZE = '2g';

/** A separate file system in memory, so that a full disk affects nothing else. */
export class SmallDisk {
  readonly folder: string;
  private isMounted = true;

  /** @throws Error if nothing can be mounted */
  constructor(folder: string, { uid, gid }: { uid: number; gid: number }) {
    this.folder = folder;
    mkdirSync(folder);
    const options = `size=${SIZE},mode=0700,uid=${uid},gid=${gid}`;
    run('mount', ['-t', 'tmpfs', '-o', options, 'rinpath-failover', folder]);
    process.once('exit', () => this.remove());
  }

  /** Uses up all free space. */
  async fill(): Promise<void> {
    const words = ['if=/dev/zero', `of=${this.ballast}`, 'bs=1M', 'oflag=append', 'conv=notrunc'];
    // `dd` fails once the disk is full. A second pass fills what another process freed meanwhile.
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
