import type { QueryRunner } from 'typeorm';

/**
 * Locks a table that is in use all the time, to the end of the transaction. Each try waits for 0.1 s, so that calls
 * behind it wait no longer, and a pause of 0.2 s lets them through.
 * @throws QueryFailedError (55P03) after about 5 s; the start then repeats the migration
 */
export async function lockBriefly(runner: QueryRunner, table: string): Promise<void> {
  await runner.query(`
    DO $$
    BEGIN
      PERFORM set_config('lock_timeout', '100ms', true);
      FOR tries IN 1 .. 16 LOOP
        BEGIN
          LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE;
          RETURN;
        EXCEPTION WHEN lock_not_available THEN
          IF tries = 16 THEN RAISE; END IF;
          PERFORM pg_sleep(0.2);
        END;
      END LOOP;
    END
    $$`);
}
