import { DataSource } from 'typeorm';
import type { Environment } from '../config/environment.js';
import { dataSourceOptions } from './data-source.js';
import { openDatabase } from './embedded/embedded-postgres.js';

interface Follower {
  readonly name: string;
  /** Null where the role lacks permission. */
  readonly syncState: string | null;
}

export interface Durability {
  readonly role: string;
  /** Of this role's sessions. */
  readonly synchronousCommit: string;
  readonly fsync: string;
  readonly fullPageWrites: string;
  readonly standbyNames: string;
  readonly followers: readonly Follower[];
  /** Requires `pg_monitor`. */
  readonly seesFollowers: boolean;
}

interface DurabilityFindings {
  /** Each can lose a confirmed call. */
  readonly losses: readonly string[];
  readonly notes: readonly string[];
}

export class DurabilityError extends Error {
  constructor(losses: readonly string[]) {
    const list = losses.map((loss) => `  - ${loss}`).join('\n');
    super(
      `The database may lose committed data:\n${list}\n` +
        'To accept this, set DATABASE_LOSS_ACCEPTED=true.',
    );
    this.name = 'DurabilityError';
  }
}

/** Logical subscribers, backups and WAL receivers are no standbys. */
async function readDurability(dataSource: DataSource): Promise<Durability> {
  const [row] = await dataSource.query<Durability[]>(DURABILITY);
  return row;
}

export async function lookAtDatabase(environment: Environment): Promise<Durability> {
  const database = await openDatabase(environment);
  const schema = { entities: [], migrations: [], poolSize: 1, readsOnly: true };
  const dataSource = new DataSource(dataSourceOptions({ url: database.url, ...schema }));
  try {
    await dataSource.initialize();
    return await readDurability(dataSource);
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
    await database.stop();
  }
}

/**
 * A confirmed commit must survive the loss of one server: `synchronous_standby_names` is set and
 * commits wait. Without a standby there is only a note.
 */
export function judgeDurability(seen: Durability): DurabilityFindings {
  const { standbyNames, synchronousCommit, followers, fsync, fullPageWrites } = seen;
  const isNamed = standbyNames !== '';
  const losses = [
    ...(fsync === 'off' ? [FSYNC] : []),
    ...(synchronousCommit === 'off' ? [COMMIT_OFF] : []),
    ...(!isNamed && followers.length > 0 ? [asynchronous(seen)] : []),
    ...(synchronousCommit === 'local' && (isNamed || followers.length > 0) ? [COMMIT_LOCAL] : []),
  ];
  const lacksStandby =
    isNamed &&
    seen.seesFollowers &&
    !followers.some(({ syncState }) => syncState === 'sync' || syncState === 'quorum');
  const notes = [
    ...(!isNamed && followers.length === 0 ? [ALONE] : []),
    ...(lacksStandby ? [NOBODY_THERE] : []),
    ...(fullPageWrites === 'off' ? [TORN_PAGES] : []),
  ];
  return { losses, notes };
}

export async function refuseLosses(
  dataSource: DataSource,
  isLossAccepted: boolean,
): Promise<readonly string[]> {
  const { losses, notes } = judgeDurability(await readDurability(dataSource));
  if (losses.length > 0 && !isLossAccepted) throw new DurabilityError(losses);
  return [...losses, ...notes];
}

function asynchronous({ followers, role, seesFollowers }: Durability): string {
  const names = followers.map(({ name }) => name).join(', ');
  const unseen = seesFollowers
    ? ''
    : ` This role cannot see whether these are standbys: GRANT pg_monitor TO ${role};`;
  return (
    `synchronous_standby_names is empty, so commits do not wait for ${names}: losing the primary loses the last ` +
    `journeys, events and used nonces. Name the standby in it (Patroni: synchronous_mode: true).${unseen}`
  );
}

const FSYNC =
  'fsync is off: a crash of its machine can damage the database permanently. Set fsync to on.';
const COMMIT_OFF =
  'synchronous_commit is off: commits are confirmed before they are on disk. Set synchronous_commit to on.';
const COMMIT_LOCAL =
  'synchronous_commit is local: commits are confirmed before a standby has them. Set synchronous_commit to on.';
const ALONE = 'The database has no standby: if its machine is lost, only the backups remain';
const NOBODY_THERE =
  'No standby of synchronous_standby_names is connected: commits wait until one is';
const TORN_PAGES =
  'full_page_writes is off: a crash can leave half-written pages, unless the file system prevents it';

const DURABILITY = `
  SELECT quote_ident(current_user) AS role,
    current_setting('synchronous_commit') AS "synchronousCommit",
    current_setting('fsync') AS fsync,
    current_setting('full_page_writes') AS "fullPageWrites",
    trim(current_setting('synchronous_standby_names')) AS "standbyNames",
    pg_has_role(current_user, 'pg_read_all_stats', 'USAGE') AS "seesFollowers",
    (SELECT coalesce(
        json_agg(json_build_object('name', application_name, 'syncState', sync_state) ORDER BY application_name), '[]')
      FROM pg_stat_replication
      WHERE application_name NOT IN ('pg_basebackup', 'pg_receivewal')
        AND NOT EXISTS (SELECT FROM pg_replication_slots s WHERE s.active_pid = pid AND s.slot_type = 'logical')
        -- A receiver of WAL reports no position of its replay, a standby always does; hidden, both are null.
        AND (state IS NULL OR state IN ('startup', 'catchup') OR (state = 'streaming' AND replay_lsn IS NOT NULL))
    ) AS followers
`;
