import { Injectable } from '@nestjs/common';
import { ArrayContains, IsNull, LessThanOrEqual, Not } from 'typeorm';
import { ESIGN, MANDATE, type RedirectStep } from '../../journey-steps/index.js';
import { appNow, Columns, Keyring, Tx } from '../../platform/index.js';
import type { Journey } from './journey.entity.js';
import { Redirect, type VerdictEvidence } from './redirect.entity.js';

const columns = new Columns(Redirect);

const EVIDENCE_PURPOSE = 'journey_redirects.evidence';
const SESSION_PURPOSE = 'journey_redirects.session';
const SESSION_PAUSE_SECONDS = 10;

type OpenedSession = Pick<Redirect, 'covers' | 'sessionNumber' | 'sessionExpiresAt'>;

@Injectable()
export class RedirectsRepository {
  static readonly PERSONAL_COLUMNS = columns.qualified(['evidenceSealed', 'sessionSealed']);

  constructor(private readonly keyring: Keyring) {}

  async insert(
    tx: Tx,
    journey: Journey,
    redirect: Pick<Redirect, 'id' | 'step' | 'attempt'>,
  ): Promise<void> {
    await tx.execute(
      `INSERT INTO journey_redirects (${columns.list([
        'id',
        'partnerId',
        'journeyId',
        'step',
        'attempt',
        'lenderCode',
      ])})
       SELECT $1, $2, $3, $4, $5, o.lender_code
       FROM journey_offers o WHERE o.id = $6 AND o.journey_id = $3`,
      [
        redirect.id,
        journey.partnerId,
        journey.id,
        redirect.step,
        redirect.attempt,
        journey.selectedOfferId,
      ],
    );
  }

  async find(tx: Tx, partnerId: string, id: string): Promise<Redirect | null> {
    return tx.repository(Redirect).findOneBy({ id, partnerId });
  }

  /** The link token is the permission. */
  async findByLink(tx: Tx, id: string): Promise<Redirect | null> {
    return tx.repository(Redirect).findOneBy({ id });
  }

  async newest(
    tx: Tx,
    { id: journeyId, partnerId }: Journey,
    step: RedirectStep,
  ): Promise<Redirect | null> {
    return tx.repository(Redirect).findOne({
      where: { journeyId, partnerId, step, releasedAt: IsNull() },
      order: { attempt: 'DESC' },
    });
  }

  /** The attempt before, or one with a deselected lender, whose applicant has not returned. */
  async awaitingReturn(tx: Tx, redirect: Redirect): Promise<Redirect | null> {
    if (redirect.visitedAt !== null) return null;
    const { journeyId, step, attempt } = redirect;
    const unreturned = { journeyId, step, visitedAt: Not(IsNull()), returnedAt: IsNull() };
    return tx.repository(Redirect).findOneBy([
      { ...unreturned, attempt: attempt - 1, releasedAt: IsNull() },
      { ...unreturned, releasedAt: Not(IsNull()) },
    ]);
  }

  async signingVisits(tx: Tx, { id: journeyId, partnerId }: Journey): Promise<Redirect[]> {
    const visits = { journeyId, partnerId, visitedAt: Not(IsNull()), releasedAt: IsNull() };
    return tx.repository(Redirect).findBy([
      { ...visits, step: ESIGN.name },
      { ...visits, covers: ArrayContains([ESIGN.name]) },
    ]);
  }

  /** Includes lenders that may have a mandate after a visit without a known outcome. */
  mandateLenders(tx: Tx, { id, partnerId }: Journey): Promise<string[]> {
    return tx.column<string>(
      `SELECT DISTINCT lender_code AS code FROM journey_redirects
       WHERE journey_id = $1 AND partner_id = $2 AND (step = $3 OR $3 = ANY (covers))
         AND (verdict = 'PASSED' OR verdict IS NULL AND visited_at IS NOT NULL)
       ORDER BY code`,
      [id, partnerId, MANDATE.name],
    );
  }

  /** The outcome of these redirects no longer changes anything. */
  async release(tx: Tx, { id: journeyId, partnerId }: Journey): Promise<void> {
    await tx.update(
      Redirect,
      { journeyId, partnerId, releasedAt: IsNull() },
      { releasedAt: appNow, sessionSealed: null },
    );
  }

  /** @returns false when another visit claimed it within the pause */
  async claimSessionOpening(tx: Tx, { id }: Redirect): Promise<boolean> {
    const [taken] = await tx.query(
      // Also later times: after a failover the database's clock may be behind.
      `UPDATE journey_redirects SET session_asked_at = app_now(), session_sealed = NULL
       WHERE id = $1 AND coalesce(session_asked_at NOT BETWEEN app_now() - $2 * interval '1 second'
         AND app_now() + $2 * interval '1 second', true)
       RETURNING id`,
      [id, SESSION_PAUSE_SECONDS],
    );
    return taken !== undefined;
  }

  openSession({ id, sessionSealed }: Redirect): string | null {
    return sessionSealed === null ? null : this.keyring.open(sessionSealed, sessionPurpose(id));
  }

  /** Keeps the first time. */
  async markVisited(tx: Tx, { id }: Redirect, session: OpenedSession): Promise<void> {
    const { covers, ...times } = session;
    await tx.update(
      Redirect,
      { id },
      // TypeORM accepts no read-only list here.
      {
        ...times,
        covers: [...covers],
        visitedAt: () => 'coalesce(visited_at, app_now())',
        // The applicant is there again: ask when they return.
        askAgainAt: null,
      },
    );
  }

  /** Skips decided and released redirects, whose rows may be erased. */
  async keepSession(tx: Tx, { id }: Redirect, url: string): Promise<void> {
    await tx.update(
      Redirect,
      { id, verdict: IsNull(), releasedAt: IsNull() },
      { sessionSealed: this.keyring.seal(url, sessionPurpose(id)) },
    );
  }

  /** Unless a newer session has followed. */
  async discardSession(tx: Tx, { id }: Redirect, sessionNumber: number): Promise<void> {
    await tx.update(
      Redirect,
      { id, sessionNumber: LessThanOrEqual(sessionNumber) },
      { sessionNumber, sessionExpiresAt: appNow, sessionSealed: null },
    );
  }

  async isCovered(tx: Tx, { id, partnerId }: Journey, step: RedirectStep): Promise<boolean> {
    const [found] = await tx.query(
      `SELECT 1 FROM journey_redirects
       WHERE journey_id = $1 AND partner_id = $2 AND verdict = 'PASSED' AND $3 = ANY (covers)
         AND let_go_at IS NULL
       LIMIT 1`,
      [id, partnerId, step],
    );
    return found !== undefined;
  }

  /** Keeps the first time. */
  async markReturned(tx: Tx, { id }: Redirect): Promise<void> {
    await tx.update(Redirect, { id }, { returnedAt: () => 'coalesce(returned_at, app_now())' });
  }

  async askAgainAfter(tx: Tx, { id }: Redirect, waitMs: number): Promise<void> {
    await tx.execute(
      `UPDATE journey_redirects SET ask_again_at = app_now() + $2 * interval '1 millisecond'
       WHERE id = $1`,
      [id, waitMs],
    );
  }

  /** Keeps the first verdict. */
  async setVerdict(
    tx: Tx,
    { id }: Redirect,
    verdict: NonNullable<Redirect['verdict']>,
    evidence: VerdictEvidence | null,
  ): Promise<void> {
    const evidenceSealed =
      evidence && this.keyring.seal(JSON.stringify(evidence), evidencePurpose(id));
    await tx.update(
      Redirect,
      { id, verdict: IsNull() },
      { verdict, evidenceSealed, sessionSealed: null },
    );
  }

  /** Null: never kept, or erased. */
  evidenceOf({ id, evidenceSealed }: Redirect): VerdictEvidence | null {
    if (evidenceSealed === null) return null;
    return JSON.parse(this.keyring.open(evidenceSealed, evidencePurpose(id))) as VerdictEvidence;
  }

  /** @returns how many verdicts still had evidence */
  async erase(tx: Tx, { id: journeyId, partnerId }: Journey): Promise<number> {
    await tx.update(Redirect, { journeyId, partnerId }, { sessionSealed: null });
    return tx.update(
      Redirect,
      { journeyId, partnerId, evidenceSealed: Not(IsNull()) },
      { evidenceSealed: null },
    );
  }

  async list(tx: Tx, { id: journeyId, partnerId }: Journey): Promise<Redirect[]> {
    return tx
      .repository(Redirect)
      .find({ where: { journeyId, partnerId }, order: { createdAt: 'ASC' } });
  }
}

/** Sealed for this row only. */
function evidencePurpose(redirectId: string): string {
  return `${EVIDENCE_PURPOSE}:${redirectId}`;
}

function sessionPurpose(redirectId: string): string {
  return `${SESSION_PURPOSE}:${redirectId}`;
}
