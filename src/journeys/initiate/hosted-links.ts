import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT, type Environment, RandomSource, sha256, Tx } from '../../platform/index.js';
import type { Journey } from '../journey.js';

const VALID_HOURS = 72;

/** The single-use links by which applicants come to a hosted journey; stored as hashes. */
@Injectable()
export class HostedLinks {
  constructor(
    private readonly random: RandomSource,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** Makes a fresh link and answers its URL: the only time that the token is in the clear. */
  async issue(tx: Tx, journey: Journey): Promise<string> {
    const token = this.random.token();
    await tx.execute(
      `INSERT INTO hosted_links (token_hash, partner_id, journey_id, expires_at, created_at)
       VALUES ($1, $2, $3, app_now() + $4 * interval '1 hour', app_now())`,
      [sha256(token), journey.partnerId, journey.id, VALID_HOURS],
    );
    return `${this.environment.baseUrl}/hosted/start/${token}`;
  }

  /** How a link stands, without using it up; null when it is not one of ours. */
  async standing(tx: Tx, token: string): Promise<'FRESH' | 'USED' | 'EXPIRED' | null> {
    const [row] = await tx.query<{ standing: 'FRESH' | 'USED' | 'EXPIRED' }>(
      `SELECT CASE WHEN used_at IS NOT NULL THEN 'USED' WHEN expires_at <= app_now() THEN 'EXPIRED'
         ELSE 'FRESH' END AS standing
       FROM hosted_links WHERE token_hash = $1`,
      [sha256(token)],
    );
    return row?.standing ?? null;
  }

  /** Uses a fresh link up, once among all who try, and answers its journey. */
  async use(tx: Tx, token: string): Promise<{ journeyId: string; partnerId: string } | null> {
    const [row] = await tx.query<{ journeyId: string; partnerId: string }>(
      `UPDATE hosted_links SET used_at = app_now()
       WHERE token_hash = $1 AND used_at IS NULL AND expires_at > app_now()
       RETURNING journey_id AS "journeyId", partner_id AS "partnerId"`,
      [sha256(token)],
    );
    return row ?? null;
  }
}
