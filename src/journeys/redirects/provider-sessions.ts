import { Injectable } from '@nestjs/common';
import {
  LenderGateway,
  LenderUnavailable,
  type QuestionPayload,
  SessionElsewhere,
  type SessionVerdict,
} from '../../lenders/index.js';
import { NO_PARTNER, OperatorFlags } from '../../operator-flags/index.js';
import { Clock, Database, Fault } from '../../platform/index.js';
import { JourneyAllowance } from '../access/hosted-limits.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import type { Redirect } from '../store/redirect.entity.js';
import { RedirectsRepository } from '../store/redirects.repository.js';
import type { ProviderRedirect } from './redirect-steps.js';

export interface ProviderVisit {
  readonly redirect: ProviderRedirect;
  readonly journey: Journey;
  readonly payload: QuestionPayload;
  readonly sessionNumber: number;
}

/** `WAIT`: another visit has just requested the session. */
export type OpenedByAnother =
  | { readonly kind: 'PROVIDER'; readonly url: string }
  | { readonly kind: 'WAIT' };

@Injectable()
export class ProviderSessions {
  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly redirects: RedirectsRepository,
    private readonly gateway: LenderGateway,
    private readonly allowance: JourneyAllowance,
    private readonly flags: OperatorFlags,
    private readonly clock: Clock,
  ) {}

  /**
   * Reloads within some seconds ask the lender once, over all replicas.
   * @returns another visit's session, or `WAIT`; null when this visit opens one
   * @throws Fault rate_limited
   */
  claim(redirect: Redirect, journey: Journey): Promise<OpenedByAnother | null> {
    return this.database.transaction(async (tx) => {
      if (await this.redirects.claimSessionOpening(tx, redirect)) {
        await this.allowance.requireIn(tx, 'SESSIONS_OF_JOURNEY', journey.id);
        return null;
      }
      const current = (await this.redirects.findByLink(tx, redirect.id)) ?? redirect;
      const url = this.redirects.openSession(current);
      const isOpen = url !== null && this.sessionNumberOf(current) === current.sessionNumber;
      return isOpen ? { kind: 'PROVIDER', url } : { kind: 'WAIT' };
    });
  }

  sessionNumberOf({ sessionNumber, sessionExpiresAt }: Redirect): number {
    const hasExpired = sessionExpiresAt !== null && sessionExpiresAt <= this.clock.now();
    return hasExpired ? sessionNumber + 1 : sessionNumber;
  }

  async open(visit: ProviderVisit, returnUrl: string): Promise<SessionVerdict> {
    const { redirect, journey } = visit;
    try {
      return await this.gateway.openSession({
        idempotencyKey: sessionReference(redirect.id, visit.sessionNumber),
        lenderCode: redirect.lenderCode,
        step: redirect.step,
        partnerId: journey.partnerId,
        subjectId: journey.id,
        reference: redirect.id,
        payload: visit.payload,
        returnUrl,
      });
    } catch (error) {
      if (error instanceof SessionElsewhere) await this.discard(visit, error);
      if (!(error instanceof LenderUnavailable)) throw error;
      await this.allowance.giveBack('SESSIONS_OF_JOURNEY', journey.id);
      throw new Fault('lender_unavailable', { retryAfterSeconds: 5, cause: error });
    }
  }

  /** The next visit needs another question: a lender repeats its answer to the same one. */
  private async discard(
    { redirect, journey, sessionNumber }: ProviderVisit,
    { origin, host }: SessionElsewhere,
  ): Promise<void> {
    const { lenderCode, step } = redirect;
    await this.database.transaction(async (tx) => {
      await this.journeys.lock(tx, journey.partnerId, journey.id);
      await this.redirects.discardSession(tx, redirect, sessionNumber);
      await this.flags.raise(tx, {
        partnerId: NO_PARTNER,
        subjectId: lenderCode,
        kind: 'SESSION_ELSEWHERE',
        cause: [step],
        detail: { lenderCode, step, origin, host },
      });
    });
  }
}

/** Short for lenders' id fields. */
export function sessionReference(redirectId: string, sessionNumber: number): string {
  return `${redirectId}:${sessionNumber.toString(36)}`;
}
