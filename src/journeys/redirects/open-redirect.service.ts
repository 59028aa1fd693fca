import { Injectable } from '@nestjs/common';
import { isRedirectStep } from '../../journey-steps/index.js';
import {
  LenderGateway,
  LenderUnavailable,
  QuestionOutbox,
  type QuestionPayload,
  SessionElsewhere,
  type SessionVerdict,
  type ShownProvider,
} from '../../lenders/index.js';
import { KeyFactsRepository } from '../../key-facts/index.js';
import { NO_PARTNER, OperatorFlags } from '../../operator-flags/index.js';
import { Clock, Database, Fault, type Language } from '../../platform/index.js';
import { LenderAnswers } from '../progress/lender-answers.js';
import { LenderAllowance } from '../access/page-allowances.js';
import type { HostedOffer, HostedSelection } from '../offers/hosted-offers.js';
import { Acknowledgements } from '../offers/acknowledgements.js';
import { JourneyKeyFacts } from '../offers/journey-key-facts.js';
import type { Offer } from '../store/offer.entity.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { SelectedPayloads } from '../progress/selected-payload.js';
import { ReturnUrls } from './return-urls.js';
import {
  questionAbout,
  RedirectSteps,
  isToProvider,
  type ProviderRedirect,
} from './redirect-steps.js';
import { RedirectsRepository } from '../store/redirects.repository.js';
import type { Redirect } from '../store/redirect.entity.js';

// For when neither the applicant nor a callback comes back.
const FIRST_CHECK_MS = 60_000;

/** What the applicant acknowledges before the provider's page. */
export type UnacknowledgedTerms = Omit<HostedSelection, 'offer' | 'branch' | 'isAgreed'> & {
  readonly offer: Pick<HostedOffer, 'terms'>;
  /** Null when it is not configured. */
  readonly provider: ShownProvider | null;
};

/** Where a visit to a redirect link leads. */
export type RedirectVisit =
  | { readonly kind: 'UNACKNOWLEDGED'; readonly terms: UnacknowledgedTerms }
  | { readonly kind: 'PROVIDER'; readonly url: string }
  /** The fee is to be paid at the gateway. */
  | { readonly kind: 'FEE'; readonly fee: VisitedFee; readonly returnUrl: string }
  /** Another visit asked for the session a moment ago. */
  | { readonly kind: 'WAIT' }
  | { readonly kind: 'STEP_OVER'; readonly returnUrl: string };

export interface VisitedFee {
  readonly partnerId: string;
  readonly journeyId: string;
  readonly redirectId: string;
}

/**
 * Opens a provider's session only when the applicant visits the link, after they have acknowledged the
 * statement.
 */
@Injectable()
export class OpenRedirectService {
  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly redirects: RedirectsRepository,
    private readonly steps: RedirectSteps,
    private readonly gateway: LenderGateway,
    private readonly questionOutbox: QuestionOutbox,
    private readonly payloads: SelectedPayloads,
    private readonly returnUrls: ReturnUrls,
    private readonly allowance: LenderAllowance,
    private readonly answers: LenderAnswers,
    private readonly statements: KeyFactsRepository,
    private readonly keyFacts: JourneyKeyFacts,
    private readonly acknowledgements: Acknowledgements,
    private readonly flags: OperatorFlags,
    private readonly clock: Clock,
  ) {}

  /** @throws Fault link_not_found, lender_unavailable, rate_limited */
  async visit(token: string): Promise<RedirectVisit> {
    const { redirect, journey } = await this.steps.read(token);
    const returnUrl = await this.returnUrls.afterStep(journey, redirect.step);
    // Checked first: the applicant of a journey that is over may be erased.
    if (journey.redirectId !== redirect.id) return { kind: 'STEP_OVER', returnUrl };
    const { offer, payload, isAcknowledged } = await this.database.transaction((tx) =>
      this.payloads.draw(tx, journey, redirect.attempt),
    );
    if (!isAcknowledged) {
      return { kind: 'UNACKNOWLEDGED', terms: await this.termsOf(journey, offer, redirect) };
    }
    const { id: redirectId } = redirect;
    if (!isToProvider(redirect)) {
      const fee = { partnerId: journey.partnerId, journeyId: journey.id, redirectId };
      return { kind: 'FEE', fee, returnUrl };
    }
    return this.visitProvider(redirect, journey, payload, returnUrl);
  }

  private async visitProvider(
    redirect: ProviderRedirect,
    journey: Journey,
    payload: QuestionPayload,
    returnUrl: string,
  ): Promise<RedirectVisit> {
    const other = await this.claimSessionOpening(redirect, journey);
    if (other) return other;
    const visit = { redirect, journey, payload, sessionNumber: this.sessionNumberOf(redirect) };
    const session = await this.openSession(visit, returnUrl);
    if (session.kind === 'REFUSED') {
      await this.recordRefusal(visit, session);
      return { kind: 'STEP_OVER', returnUrl };
    }
    const isCurrent = await this.recordVisit(visit, session);
    return isCurrent ? { kind: 'PROVIDER', url: session.url } : { kind: 'STEP_OVER', returnUrl };
  }

  /**
   * Records the acknowledgement and continues as `visit`: back to the terms when another statement is in force.
   * @throws Fault as `visit`
   */
  async acknowledge(token: string, hash: string, language: Language): Promise<RedirectVisit> {
    const { redirect } = await this.steps.read(token);
    await this.database.transaction(async (tx) => {
      const journey = await this.journeys.lock(tx, redirect.partnerId, redirect.journeyId);
      // Nothing is recorded once the step is over.
      if (journey?.redirectId !== redirect.id || journey.selectedOfferId === null) return;
      const given = { hash, language, by: 'REDIRECT' } as const;
      await this.acknowledgements.record(tx, journey, journey.selectedOfferId, given);
      await this.journeys.touch(tx, journey);
    });
    return this.visit(token);
  }

  /** Null for an unknown token. */
  async partnerOf(token: string): Promise<string | null> {
    return (await this.steps.find(token))?.partnerId ?? null;
  }

  private async termsOf(
    { selection }: Journey,
    offer: Offer,
    { lenderCode, step }: Redirect,
  ): Promise<UnacknowledgedTerms> {
    const frozen = await this.statements.frozen(offer.id);
    if (!selection || !frozen) throw new Error(`the choice of ${offer.id} has no statement`);
    const { statement, contentHash: keyFactsHash } = frozen;
    const kfsUrl = this.keyFacts.linkTo(offer.id);
    const provider = isRedirectStep(step) ? await this.gateway.providerOf(lenderCode, step) : null;
    return { selection, statement, keyFactsHash, kfsUrl, offer: { terms: offer.terms }, provider };
  }

  /**
   * Reloads within some seconds ask the lender once, over all replicas.
   * @returns another visit's session, or `WAIT` for it; null when this visit opens one
   * @throws Fault rate_limited
   */
  private claimSessionOpening(
    redirect: Redirect,
    journey: Journey,
  ): Promise<OpenedByAnother | null> {
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

  /** An expired session is followed by a new question. */
  private sessionNumberOf({ sessionNumber, sessionExpiresAt }: Redirect): number {
    const hasRunOut = sessionExpiresAt !== null && sessionExpiresAt <= this.clock.now();
    return hasRunOut ? sessionNumber + 1 : sessionNumber;
  }

  private async openSession(visit: Visit, returnUrl: string): Promise<SessionVerdict> {
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
      if (error instanceof LenderUnavailable)
        throw new Fault('lender_unavailable', { retryAfterSeconds: 5, cause: error });
      throw error;
    }
  }

  /** The next visit asks another question: to the same one the lender must give the same answer. */
  private async discard(
    { redirect, journey, sessionNumber }: Visit,
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

  /** @returns false when the journey has moved on */
  private async recordVisit(
    visit: Visit,
    { url, covers, expiresAt }: OpenedSession,
  ): Promise<boolean> {
    const { redirect, sessionNumber } = visit;
    return this.database.transaction(async (tx) => {
      // Everyone locks the journey before its redirect.
      const journey = await this.journeys.lock(tx, redirect.partnerId, redirect.journeyId);
      const sessionExpiresAt = expiresAt === undefined ? null : new Date(expiresAt);
      const session = { covers, sessionNumber, sessionExpiresAt };
      await this.redirects.markVisited(tx, redirect, session);
      // No question about a step that is over.
      if (journey?.redirectId !== redirect.id) return false;
      await this.redirects.keepSession(tx, redirect, url);
      await this.journeys.touch(tx, journey);
      await this.questionOutbox.put(tx, {
        ...questionAbout(redirect),
        payload: visit.payload,
        delayMs: FIRST_CHECK_MS,
        isSessionOpen: true,
      });
      return true;
    });
  }

  /** A lender that opens no session has refused the step. */
  private async recordRefusal(
    { redirect }: Visit,
    { answerId, reason, detail }: RefusedSession,
  ): Promise<void> {
    const answer = { kind: 'REFUSED', reason, ...(detail !== undefined && { detail }) } as const;
    await this.database.transaction((tx) =>
      this.answers.receive(tx, { ...questionAbout(redirect), answerId, answer }),
    );
  }
}

type OpenedByAnother = Extract<RedirectVisit, { kind: 'PROVIDER' | 'WAIT' }>;
type OpenedSession = Extract<SessionVerdict, { kind: 'OPENED' }>;
type RefusedSession = Extract<SessionVerdict, { kind: 'REFUSED' }>;

interface Visit {
  readonly redirect: ProviderRedirect;
  readonly journey: Journey;
  readonly payload: QuestionPayload;
  readonly sessionNumber: number;
}

/** Short for lenders' id fields. */
export function sessionReference(redirectId: string, sessionNumber: number): string {
  return `${redirectId}:${sessionNumber.toString(36)}`;
}
