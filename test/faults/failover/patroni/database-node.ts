import { chownSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { eventually } from '../../../support/eventually.ts';
import type { RunningProcess } from '../../../support/needed-process.ts';
import { isServerThere, killServer, quitServer } from '../kill-server.ts';
import { type Addresses, nameOf, PORTS } from './addresses.ts';
import {
  BINARIES,
  etcdVariables,
  type NodePlaces,
  patroniConfiguration,
  type Places,
} from './example.ts';
import { loggedProcess } from './logged-process.ts';
import { SmallDisk } from './small-disk.ts';

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

export interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

interface NodeOptions {
  readonly id: number;
  readonly addresses: Addresses;
  readonly places: Places;
  readonly folder: string;
  readonly logs: string;
  readonly owner: Owner;
  readonly passwords: Readonly<Record<string, string>>;
  readonly authority: string;
}

const ASK_MS = 1_500;
/** Runs a command as `postgres` with its own `/etc/hosts`; it ends with the run. */
const AS_NODE = [
  'mount --bind "$1" /etc/hosts',
  'shift',
  'exec setpriv --reuid=postgres --regid=postgres --init-groups --pdeathsig KILL -- "$@"',
].join(' && ');

/** One database machine: PostgreSQL, its Patroni, and a member of etcd. */
export class DatabaseNode {
  readonly id: number;
  readonly name: string;
  readonly disk: SmallDisk;
  private readonly options: NodeOptions;
  private readonly places: NodePlaces;
  private readonly configuration: string;
  private patroni?: RunningProcess;
  private etcd?: RunningProcess;

  constructor(options: NodeOptions) {
    const { id, addresses, folder, owner } = options;
    this.id = id;
    this.name = nameOf(id);
    this.options = options;
    mkdirSync(folder);
    this.disk = new SmallDisk(join(folder, 'disk'), owner);
    const own = (name: string) => join(this.disk.folder, name);
    const socketDir = own('sockets');
    mkdirSync(socketDir);
    chownSync(socketDir, owner.uid, owner.gid);
    this.places = {
      ...options.places,
      id,
      binDir: binariesIn(folder),
      dataDir: own('data'),
      socketDir,
      ownDir: this.disk.folder,
    };
    this.configuration = join(folder, 'patroni.yml');
    writeFileSync(this.configuration, patroniConfiguration(addresses, this.places));
    writeFileSync(join(folder, 'hosts'), addresses.hostsOf(id));
    process.once('exit', () => killServer(this.places.dataDir));
  }

  get socketDir(): string {
    return this.places.socketDir;
  }

  startEtcd(): void {
    this.etcd = this.start('etcd', ['etcd'], etcdVariables(this.options.addresses, this.places));
  }

  async killEtcd(): Promise<void> {
    await this.etcd?.kill();
  }

  startPatroni(clock: Readonly<Record<string, string>> = {}): void {
    const lines = Object.entries(clock).map(([name, value]) => `export ${name}='${value}'\n`);
    writeFileSync(join(this.options.folder, 'clock'), lines.join(''));
    this.patroni = this.start('patroni', ['patroni', this.configuration], this.options.passwords);
  }

  async kill(): Promise<void> {
    const ended = this.patroni?.kill();
    killServer(this.places.dataDir);
    await ended;
  }

  async isPrimary(): Promise<boolean> {
    return (await this.ask('/primary').catch(() => undefined))?.status === 200;
  }

  async members(): Promise<Member[]> {
    const answer = await this.ask('/cluster').catch(() => undefined);
    if (answer?.status !== 200) return [];
    return (JSON.parse(answer.text) as { members: Member[] }).members;
  }

  async stop(): Promise<void> {
    await this.patroni?.kill();
    quitServer(this.places.dataDir);
    await eventually(() => !isServerThere(this.places.dataDir)).catch(() => undefined);
    await this.kill();
    await this.killEtcd();
    this.disk.remove();
  }

  private start(
    name: string,
    command: readonly string[],
    env: Readonly<Record<string, string>>,
  ): RunningProcess {
    const { folder, logs } = this.options;
    const hosts = join(folder, 'hosts');
    const asNode = ['unshare', '--mount', '--', 'sh', '-c', AS_NODE, 'sh', hosts, ...command];
    return loggedProcess(`${this.name}-${name}`, asNode, { env, logs });
  }

  private ask(path: string): Promise<{ status: number; text: string }> {
    const { addresses, authority: ca } = this.options;
    const host = addresses.node(this.id);
    return new Promise((resolve, reject) => {
      const options = { host, port: PORTS.patroni, path, ca, agent: false, timeout: ASK_MS };
      const asked = request(options, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => (text += chunk));
        answer.on('error', reject);
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      });
      asked.on('error', reject);
      asked.on('timeout', () => asked.destroy(new Error(`${this.name} does not answer`)));
      asked.end();
    });
  }
}

function binariesIn(folder: string): string {
  const own = join(folder, 'bin');
  mkdirSync(own);
  for (const name of readdirSync(BINARIES)) {
    if (name !== 'postgres') symlinkSync(join(BINARIES, name), join(own, name));
  }
  const script = `#!/bin/sh\n. ${folder}/clock\nexec ${BINARIES}/postgres "$@"\n`;
  writeFileSync(join(own, 'postgres'), script, { mode: 0o755 });
  return own;
}
