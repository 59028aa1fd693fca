import type { QueryRunner } from 'typeorm';

/**
 * Locks a busy table until the transaction ends. Each attempt waits 0.1 s, which limits the wait of calls behind it. A
 * pause of 0.2 s lets these calls through.
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
