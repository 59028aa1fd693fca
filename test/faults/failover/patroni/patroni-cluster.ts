import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eventuallyFound } from '../../../support/eventually.ts';
import { scratchFolder } from '../../../support/scratch-folder.ts';
import type { RunningProcess } from '../../../support/needed-process.ts';
import { run } from '../../../support/run-statement.ts';
import type { FailoverCluster, Loss } from '../failovers.ts';
import { Addresses, NODES } from './addresses.ts';
import { makeCertificates } from './certificates.ts';
import { DatabaseNode, type Member, type Owner } from './database-node.ts';
import {
  BINARIES,
  firstStatements,
  haproxyConfiguration,
  pgbouncerConfiguration,
  type Places,
  serviceVariables,
} from './example.ts';
import { NodeLinks } from './node-links.ts';
import { loggedProcess } from './logged-process.ts';

const execute = promisify(execFile);

const HOME = '/var/lib/postgresql';
const ROLES = ['SUPERUSER', 'REPLICATION', 'REWIND', 'RESTAPI'];
const WHOLE_WITHIN_MS = 150_000;
const PRIMARY_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 200;
const FOLLOWERS = `
  SELECT count(*)::int AS followers FROM pg_stat_replication WHERE state = 'streaming'
`;

/**
 * The database of `deploy/` on one machine, from its own files: three nodes of Patroni, PostgreSQL and etcd, behind
 * HAProxy and PgBouncer.
 */
export class PatroniCluster implements FailoverCluster {
  readonly addresses = new Addresses();
  private readonly folder = scratchFolder('rinpath-patroni-');
  private readonly owner: Owner = statSync(HOME);
  private readonly password = newPassword();
  private readonly places: Places;
  private readonly logs: string;
  private readonly nodes: DatabaseNode[] = [];
  private links?: NodeLinks;
  private readonly ways: RunningProcess[] = [];
  private lost?: { node: DatabaseNode; loss: Loss };

  private constructor(logs: string) {
    this.logs = logs;
    chmodSync(this.folder, 0o755);
    const place = (name: string) => join(this.folder, name);
    this.places = {
      certificates: place('certificates'),
      archive: place('wal'),
      archiveScript: place('archive-wal'),
    };
  }

  static async start(logs: string): Promise<PatroniCluster> {
    const cluster = new PatroniCluster(logs);
    try {
      await cluster.startAll();
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  get variables(): Record<string, string> {
    return serviceVariables(this.addresses, this.places, this.password);
  }

  get url(): string {
    const url = new URL(this.variables.DATABASE_SESSION_URL);
    url.searchParams.set('sslrootcert', join(this.places.certificates, 'authority.pem'));
    return url.href;
  }

  async failOver(loss: Loss): Promise<void> {
    const node = await this.primary();
    this.lost = { node, loss };
    if (loss === 'KILLED') await node.kill();
    else await this.links?.cutOff(node.id);
    await this.primary(node);
  }

  async addStandby(): Promise<void> {
    const { lost } = this;
    this.lost = undefined;
    if (lost?.loss === 'KILLED') lost.node.startPatroni();
    if (lost?.loss === 'PARTITIONED') await this.links?.reconnect(lost.node.id);
    await this.untilWhole();
  }

  /** @throws Error if no node other than `former` is primary within two minutes */
  async primary(former?: DatabaseNode): Promise<DatabaseNode> {
    const others = this.nodes.filter((node) => node !== former);
    return eventuallyFound(
      async () => {
        const [found] = await filter(others, (node) => node.isPrimary());
        return found;
      },
      { withinMs: PRIMARY_WITHIN_MS, everyMs: LOOK_EVERY_MS },
    );
  }

  async synchronousStandby(former?: DatabaseNode): Promise<DatabaseNode> {
    return eventuallyFound(
      async () => {
        const members = await this.members();
        const name = members.find(({ role }) => role === 'sync_standby')?.name;
        return this.nodes.find((node) => node.name === name && node !== former);
      },
      { withinMs: PRIMARY_WITHIN_MS, everyMs: LOOK_EVERY_MS },
    );
  }

  nodesBeside(...left: readonly DatabaseNode[]): DatabaseNode[] {
    return this.nodes.filter((node) => !left.includes(node));
  }

  async untilWhole(): Promise<void> {
    await eventuallyFound(
      async () => {
        const members = await this.members();
        const hasSynchronous = members.some(({ role }) => role === 'sync_standby');
        if (members.length < NODES.length || !hasSynchronous) return undefined;
        const [row] = await run(this.url, FOLLOWERS).catch(() => [{ followers: 0 }]);
        return row.followers === NODES.length - 1 || undefined;
      },
      { withinMs: WHOLE_WITHIN_MS, everyMs: LOOK_EVERY_MS },
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.ways.map((way) => way.terminate()));
    await Promise.all(this.nodes.map((node) => node.stop()));
    await this.links?.stop();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }

  private async startAll(): Promise<void> {
    const { places, owner, addresses, logs } = this;
    makeCertificates(places.certificates, addresses.names, owner);
    copyFileSync(
      fileURLToPath(new URL('../../../../deploy/patroni/archive-wal', import.meta.url)),
      places.archiveScript,
    );
    chmodSync(places.archiveScript, 0o755);
    this.ownFolder(places.archive);
    this.links = await NodeLinks.between(addresses);
    const passwords = Object.fromEntries(
      ROLES.map((role) => [`PATRONI_${role}_PASSWORD`, newPassword()]),
    );
    const authority = readFileSync(join(places.certificates, 'authority.pem'), 'utf8');
    for (const id of NODES) {
      const folder = join(this.folder, `node${id}`);
      const options = { id, addresses, places, folder, logs, owner, passwords, authority };
      this.nodes.push(new DatabaseNode(options));
    }
    for (const node of this.nodes) node.startEtcd();
    const [first, ...others] = this.nodes;
    first.startPatroni();
    await this.primary();
    for (const node of others) node.startPatroni();
    await eventuallyFound(
      async () => {
        const followers = await this.asSuperuser(first, FOLLOWERS);
        return Number(followers) === others.length || undefined;
      },
      { withinMs: WHOLE_WITHIN_MS, everyMs: LOOK_EVERY_MS },
    );
    await this.asSuperuser(first, firstStatements(this.password));
    await this.startWays(first);
    await this.untilWhole();
  }

  private async startWays(first: DatabaseNode): Promise<void> {
    const folder = this.ownFolder(join(this.folder, 'ways'));
    const haproxy = join(folder, 'haproxy.cfg');
    writeFileSync(haproxy, haproxyConfiguration(this.addresses, this.places));
    const pgbouncer = join(folder, 'pgbouncer.ini');
    writeFileSync(pgbouncer, pgbouncerConfiguration(this.addresses, this.places, folder));
    const secret = await this.asSuperuser(
      first,
      `SELECT rolpassword FROM pg_authid WHERE rolname = 'rinpath'`,
    );
    writeFileSync(join(folder, 'userlist.txt'), `"rinpath" "${secret}"\n`);
    const { logs } = this;
    this.ways.push(
      loggedProcess('haproxy', ['haproxy', '-db', '-f', haproxy], { logs }),
      loggedProcess('pgbouncer', ['pgbouncer', '-u', 'postgres', pgbouncer], { logs }),
    );
  }

  private async asSuperuser(node: DatabaseNode, statements: string): Promise<string> {
    const user = ['--reuid=postgres', '--regid=postgres', '--init-groups'];
    const psql = [`${BINARIES}/psql`, '-X', '-At', '-v', 'ON_ERROR_STOP=1', '-h', node.socketDir];
    const asked = execute('setpriv', [...user, ...psql, 'postgres']);
    asked.child.stdin?.end(statements);
    return (await asked).stdout.trim();
  }

  private ownFolder(folder: string): string {
    mkdirSync(folder);
    chownSync(folder, this.owner.uid, this.owner.gid);
    return folder;
  }

  private async members(): Promise<Member[]> {
    const seen = await Promise.all(this.nodes.map((node) => node.members()));
    const primary = seen.find((members) => members.some(({ role }) => role === 'sync_standby'));
    return primary ?? [];
  }
}

function newPassword(): string {
  return randomBytes(16).toString('hex');
}

async function filter<Item>(
  items: readonly Item[],
  holds: (item: Item) => Promise<boolean>,
): Promise<Item[]> {
  const held = await Promise.all(items.map(holds));
  return items.filter((_, index) => held[index]);
}
