import { LENDER_CALL_MS } from '../lenders/index.js';
import { PAYMENT_CALL_MS } from '../payments/index.js';
import { type Database, isWorthRetrying, type KeptByReset, type Tx } from '../platform/index.js';
import { Refusal } from './refusal.js';

/** By then every replica uses the real time and has written its buffered rows. */
const REPLICAS_FOLLOW_MS = 3_000;
/** By then calls that began in the moved time have also ended. */
const PAUSE_MS = REPLICAS_FOLLOW_MS + Math.max(LENDER_CALL_MS, PAYMENT_CALL_MS);
const PATIENT_MS = 60_000;

/**
 * Empties all tables but the kept ones, twice: calls during the first time may write rows of the
 * moved time. If interrupted, run it again.
 * @throws Refusal when locks are not available
 */
export async function resetSandbox(
  database: Database,
  kept: readonly KeptByReset[],
  wait: (milliseconds: number) => Promise<unknown>,
): Promise<void> {
  try {
    await database.transaction((tx) => reset(tx, database, kept));
    await wait(PAUSE_MS);
    await database.transaction((tx) => reset(tx, database, kept));
  } catch (error) {
    if (!isWorthRetrying(error)) throw error;
    throw new Refusal('The sandbox is busy, and the reset is not complete; run the command again.');
  }
}

async function reset(tx: Tx, database: Database, parts: readonly KeptByReset[]): Promise<void> {
  const { entityMetadatas } = database.dataSource;
  const kept = new Set<unknown>(parts.flatMap(({ entities }) => entities));
  const namesOf = (isKept: boolean) =>
    entityMetadatas
      .filter(({ target }) => kept.has(target) === isKept)
      .map(({ tableName }) => tableName);
  for (const { before } of parts) if (before) await tx.patientQuery(before, [], PATIENT_MS);
  await tx.patientQuery(empty(namesOf(false), namesOf(true)), [], PATIENT_MS);
  for (const { after } of parts) if (after) await tx.patientQuery(after, [], PATIENT_MS);
  // No time of a kept row may be in the future, such as the end of a lease.
  for (const { tableName, columns } of entityMetadatas) {
    for (const { type, databaseName } of columns) {
      if (type !== 'timestamptz') continue;
      await tx.query(
        `UPDATE ${tableName} SET ${databaseName} = app_now() WHERE ${databaseName} > app_now()`,
      );
    }
  }
}

/**
 * Waits for the replicas' transactions, which neither write nor lock a row afterwards. Append-only
 * tables have a trigger.
 */
function empty(tables: readonly string[], kept: readonly string[]): string {
  const all = tables.join(', ');
  const triggers = (verb: string) =>
    tables.map((table) => `ALTER TABLE ${table} ${verb} TRIGGER USER;`).join(' ');
  return `
    DO $$
    BEGIN
      PERFORM set_config('lock_timeout', '1500ms', true);
      FOR tries IN 1 .. 8 LOOP
        BEGIN
          LOCK TABLE ${all} IN ACCESS EXCLUSIVE MODE;
          LOCK TABLE ${kept.join(', ')} IN EXCLUSIVE MODE;
          EXIT;
        EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
          IF tries = 8 THEN RAISE; END IF;
          PERFORM pg_sleep(0.2);
        END;
      END LOOP;
      ${triggers('DISABLE')}
      TRUNCATE ${all};
      ${triggers('ENABLE')}
    END
    $$`;
}
