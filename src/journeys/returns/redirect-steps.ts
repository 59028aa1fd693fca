import { Inject, Injectable } from '@nestjs/common';
import type { RedirectStep } from '../../lenders/index.js';
import { ENVIRONMENT, type Environment, IdGenerator, Keyring, Tx } from '../../platform/index.js';
import type { Journey } from '../journey.js';

const LINK_PURPOSE = 'redirect';

/** One sending of the applicant to a provider. */
export interface Redirect {
  readonly id: string;
  readonly partnerId: string;
  readonly journeyId: string;
  readonly lenderCode: string;
  readonly step: RedirectStep;
  /** From 1; a failed try is followed by a fresh redirect. */
  readonly attempt: number;
  readonly verdict: 'PASSED' | 'FAILED' | 'REFUSED' | null;
  readonly visitedAt: Date | null;
  readonly returnedAt: Date | null;
  readonly createdAt: Date;
}

const SELECTED = `id, partner_id AS "partnerId", journey_id AS "journeyId",
  lender_code AS "lenderCode", step, attempt, verdict, visited_at AS "visitedAt",
  returned_at AS "returnedAt", created_at AS "createdAt"`;

/** The redirects of journeys and our own stable links to them. */
@Injectable()
export class RedirectSteps {
  constructor(
    private readonly ids: IdGenerator,
    private readonly keyring: Keyring,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** Where the applicant is sent: a link of ours, so that no action ever waits for a provider. */
  urlOf(redirectId: string): string {
    return `${this.environment.baseUrl}/r/${this.keyring.signLink(redirectId, LINK_PURPOSE)}`;
  }

  readToken(token: string): string | null {
    return this.keyring.readLink(token, LINK_PURPOSE);
  }

  /** Opens a try of a step and makes it the journey's current redirect. */
  async open(tx: Tx, journey: Journey, step: RedirectStep, attempt: number): Promise<Journey> {
    const id = this.ids.next('rdr');
    await tx.execute(
      `INSERT INTO journey_redirects (id, partner_id, journey_id, lender_code, step, attempt,
         created_at)
       SELECT $1, $2, $3, o.lender_code, $4, $5, app_now()
       FROM journey_offers o WHERE o.id = $6 AND o.journey_id = $3`,
      [id, journey.partnerId, journey.id, step, attempt, journey.selectedOfferId],
    );
    await tx.execute(
      `UPDATE journeys SET redirect_id = $2, is_returned = false, step_failures = $3
       WHERE id = $1`,
      [journey.id, id, attempt - 1],
    );
    return { ...journey, redirectId: id, isReturned: false, stepFailures: attempt - 1 };
  }

  async find(tx: Tx, partnerId: string, id: string): Promise<Redirect | null> {
    const [row] = await tx.query<Redirect>(
      `SELECT ${SELECTED} FROM journey_redirects WHERE id = $1 AND partner_id = $2`,
      [id, partnerId],
    );
    return row ?? null;
  }

  /** For the link token, which is its own proof: the redirect without its owner. */
  async findByLink(tx: Tx, id: string): Promise<Redirect | null> {
    const [row] = await tx.query<Redirect>(
      `SELECT ${SELECTED} FROM journey_redirects WHERE id = $1`,
      [id],
    );
    return row ?? null;
  }

  /** The newest try of a step; null when the journey has not come to it. */
  async newest(tx: Tx, journey: Journey, step: RedirectStep): Promise<Redirect | null> {
    const [row] = await tx.query<Redirect>(
      `SELECT ${SELECTED} FROM journey_redirects
       WHERE journey_id = $1 AND partner_id = $2 AND step = $3 ORDER BY attempt DESC LIMIT 1`,
      [journey.id, journey.partnerId, step],
    );
    return row ?? null;
  }

  /** The try before this one, when the applicant went there and has not been seen back. */
  async awaitingReturn(tx: Tx, redirect: Redirect): Promise<Redirect | null> {
    if (redirect.visitedAt !== null) return null;
    const [row] = await tx.query<Redirect>(
      `SELECT ${SELECTED} FROM journey_redirects
       WHERE journey_id = $1 AND step = $2 AND attempt = $3
         AND visited_at IS NOT NULL AND returned_at IS NULL`,
      [redirect.journeyId, redirect.step, redirect.attempt - 1],
    );
    return row ?? null;
  }

  async markVisited(tx: Tx, redirect: Redirect): Promise<void> {
    await tx.execute(
      'UPDATE journey_redirects SET visited_at = coalesce(visited_at, app_now()) WHERE id = $1',
      [redirect.id],
    );
  }

  async markReturned(tx: Tx, redirect: Redirect): Promise<void> {
    await tx.execute(
      'UPDATE journey_redirects SET returned_at = coalesce(returned_at, app_now()) WHERE id = $1',
      [redirect.id],
    );
  }

  async setVerdict(tx: Tx, redirect: Redirect, verdict: Redirect['verdict']): Promise<void> {
    await tx.execute(
      'UPDATE journey_redirects SET verdict = $2 WHERE id = $1 AND verdict IS NULL',
      [redirect.id, verdict],
    );
  }
}
