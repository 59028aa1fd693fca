import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';

export interface Admitted {
  outcome: 'ADMITTED' | 'LIMITED' | 'REPLAYED' | 'STALE';
  minute_used: number;
  minute_reset: number;
  day_used: number;
  day_reset: number;
}

export interface Arrival {
  key: string;
  nonce?: string;
  version?: number;
}

/** Calls `admit_requests` directly, with its own keys and a clock that a test can stop. */
export class AdmissionDatabase {
  private readonly pool: Pool;
  private keys = 0;

  constructor(databaseUrl: string) {
    this.pool = new Pool({ connectionString: databaseUrl, max: 8 });
    // The database may be dropped while a connection is still closing.
    this.pool.on('error', () => undefined);
  }

  async open(): Promise<void> {
    await this.pool.query(`
      INSERT INTO partners (id, name) VALUES ('admission', 'Admission');
      CREATE TABLE held_clock (at timestamptz);
    `);
  }

  close(): Promise<void> {
    return this.pool.end();
  }

  async issueKey(limits: { minute: number; day?: number }): Promise<string> {
    this.keys += 1;
    const id = `key_${String(this.keys).padStart(4, '0')}`;
    await this.pool.query(
      `INSERT INTO api_keys (id, partner_id, name, origin, mode, key_hash, hint, secret_sealed,
         scopes, products, minute_limit, day_limit)
       VALUES ($1, 'admission', $1, 'FILE', 'test', $1, '', '', '{}', '{}', $2, $3)`,
      [id, limits.minute, limits.day ?? 1_000_000],
    );
    return id;
  }

  async limitMinute(key: string, most: number): Promise<void> {
    await this.pool.query('UPDATE api_keys SET minute_limit = $2 WHERE id = $1', [key, most]);
  }

  async admit(...arrivals: Arrival[]): Promise<Admitted[]> {
    const { rows } = await this.pool.query<Admitted>(
      'SELECT * FROM admit_requests($1, $2, $3) ORDER BY ord',
      [
        arrivals.map(({ key }) => key),
        arrivals.map(({ version }) => version ?? 1),
        arrivals.map(({ nonce }) => nonce ?? randomUUID()),
      ],
    );
    return rows;
  }

  admitMany(key: string, count: number): Promise<Admitted[]> {
    return this.admit(...Array.from({ length: count }, () => ({ key })));
  }

  async holdClock(at: Date): Promise<void> {
    await this.pool.query('DELETE FROM held_clock');
    await this.pool.query('INSERT INTO held_clock VALUES ($1)', [at]);
    await this.pool.query(`
      CREATE OR REPLACE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$
        SELECT at FROM held_clock
      $$
    `);
  }

  async moveHeldClock(milliseconds: number): Promise<void> {
    await this.pool.query(`UPDATE held_clock SET at = at + $1 * interval '1 millisecond'`, [
      milliseconds,
    ]);
  }

  async releaseClock(): Promise<void> {
    await this.pool.query(`
      CREATE OR REPLACE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$
        SELECT clock_timestamp()
      $$
    `);
  }
}
