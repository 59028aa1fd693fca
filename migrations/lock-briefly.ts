import type { QueryRunner } from 'typeorm';

/**
 * Locks a table that is in use all the time, to the end of the transaction. Each try waits for a tenth of a second,
 * so that nobody who comes behind it waits for longer, and lets the others through before the next one.
 * @throws QueryFailedError after a minute and a half; the boot fails then and is repeated
 */
export async function lockBriefly(runner: QueryRunner, table: string): Promise<void> {
  await runner.query(`
    DO $$
    BEGIN
      PERFORM set_config('lock_timeout', '100ms', true);
      FOR tries IN 1 .. 300 LOOP
        BEGIN
          LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE;
          RETURN;
        EXCEPTION WHEN lock_not_available THEN
          IF tries = 300 THEN RAISE; END IF;
          PERFORM pg_sleep(0.2);
        END;
      END LOOP;
    END
    $$`);
}
