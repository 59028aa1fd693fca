import { setTimeout as sleep } from 'node:timers/promises';
import { databaseVariables } from '../../support/database-variables.ts';
import { DatabaseProxy } from '../../support/database-proxy.ts';
import { Standby } from '../../support/standby.ts';
import { startOwnServer } from '../run-database.ts';
import type { FailoverCluster, Loss } from './failovers.ts';
import { killServer } from './kill-server.ts';

interface Server {
  readonly url: string;
  readonly clusterDir: string;
  stop(): Promise<void>;
}

type StartServer = (settings: readonly string[]) => Promise<Server>;

const SETTINGS = ['fsync=off', 'wal_keep_size=256MB', 'dynamic_shared_memory_type=mmap'];
const UNNOTICED_MS = 700;

/** A primary and a synchronous standby behind a fixed address, as a cluster manager and a proxy provide. */
export class DatabaseCluster implements FailoverCluster {
  private primary: Server;
  private standby: Standby;
  private readonly address: DatabaseProxy;
  private replication: DatabaseProxy;

  private constructor(
    primary: Server,
    replication: DatabaseProxy,
    standby: Standby,
    address: DatabaseProxy,
  ) {
    this.primary = primary;
    this.replication = replication;
    this.standby = standby;
    this.address = address;
  }

  static async start(startServer: StartServer = startOwnServer): Promise<DatabaseCluster> {
    const primary = await startServer(SETTINGS);
    const [standby, replication] = await followerOf(primary);
    return new DatabaseCluster(
      primary,
      replication,
      standby,
      await DatabaseProxy.before(primary.url),
    );
  }

  get variables(): Record<string, string> {
    return databaseVariables(this.url);
  }

  get url(): string {
    return this.address.url;
  }

  async failOver(loss: Loss): Promise<void> {
    const lost = this.primary;
    if (loss === 'KILLED') killServer(lost.clusterDir);
    else this.replication.fallSilent();
    await sleep(UNNOTICED_MS);
    await this.address.cut();
    await this.standby.promote();
    this.primary = this.standby;
    await this.address.restore(this.primary.url);
    // A partitioned primary stays alive for a while, and its connected clients do not notice.
    if (loss === 'PARTITIONED') killServer(lost.clusterDir);
    await this.replication.cut();
    await lost.stop();
  }

  async addStandby(): Promise<void> {
    [this.standby, this.replication] = await followerOf(this.primary);
  }

  async stop(): Promise<void> {
    await this.address.cut();
    await this.replication.cut();
    if (this.standby !== this.primary) await this.standby.stop();
    await this.primary.stop();
  }
}

async function followerOf({ url, clusterDir }: Server): Promise<[Standby, DatabaseProxy]> {
  const replication = await DatabaseProxy.before(url);
  try {
    return [await Standby.of(url, clusterDir, { through: replication.url }), replication];
  } catch (error) {
    await replication.cut();
    throw error;
  }
}
