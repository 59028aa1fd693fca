import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT, type Environment, RandomSource, sha256, Tx } from '../../platform/index.js';
import type { Journey } from '../store/journey.entity.js';

const VALID_HOURS = 72;

export interface HostedLinkStanding {
  readonly standing: 'FRESH' | 'USED' | 'EXPIRED';
  readonly journeyId: string;
  readonly partnerId: string;
}

/** The single-use links by which applicants come to a hosted journey; stored as hashes. */
@Injectable()
export class HostedLinks {
  constructor(
    private readonly random: RandomSource,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** Makes a fresh link and answers its URL: the only time that the token is in the clear. */
  async issue(tx: Tx, journey: Journey): Promise<string> {
    const [url] = await this.issueAll(tx, [journey]);
    return url;
  }

  /** A fresh link for each journey, in their order. */
  async issueAll(tx: Tx, journeys: readonly Journey[]): Promise<string[]> {
    const tokens = journeys.map(() => this.random.token());
    await tx.execute(
      `INSERT INTO hosted_links (token_hash, partner_id, journey_id, expires_at, created_at)
       SELECT hash, partner_id, journey_id, app_now() + $4 * interval '1 hour', app_now()
       FROM unnest($1::text[], $2::text[], $3::text[]) AS r (hash, partner_id, journey_id)`,
      [
        tokens.map((token) => sha256(token)),
        journeys.map(({ partnerId }) => partnerId),
        journeys.map(({ id }) => id),
        VALID_HOURS,
      ],
    );
    return tokens.map((token) => `${this.environment.baseUrl}/hosted/start/${token}`);
  }

  /** How a link stands, without using it up, and whose it is; null when it is not one of ours. */
  async standing(tx: Tx, token: string): Promise<HostedLinkStanding | null> {
    const [row] = await tx.query<HostedLinkStanding>(
      `SELECT CASE WHEN used_at IS NOT NULL THEN 'USED' WHEN expires_at <= app_now() THEN 'EXPIRED'
         ELSE 'FRESH' END AS standing, journey_id AS "journeyId", partner_id AS "partnerId"
       FROM hosted_links WHERE token_hash = $1`,
      [sha256(token)],
    );
    return row ?? null;
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
