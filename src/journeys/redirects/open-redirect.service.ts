import { Injectable } from '@nestjs/common';
import { isRedirectStep } from '../../journey-steps/index.js';
import { KeyFactsRepository } from '../../key-facts/index.js';
import {
  LenderGateway,
  QuestionOutbox,
  type QuestionPayload,
  type SessionVerdict,
  type ShownProvider,
} from '../../lenders/index.js';
import { Database, type Language } from '../../platform/index.js';
import { Acknowledgements } from '../offers/acknowledgements.js';
import type { HostedOffer, HostedSelection } from '../offers/hosted-offers.js';
import { JourneyKeyFacts } from '../offers/journey-key-facts.js';
import { LenderAnswers } from '../progress/lender-answers.js';
import { SelectedPayloads } from '../progress/selected-payload.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import type { Offer } from '../store/offer.entity.js';
import type { Redirect } from '../store/redirect.entity.js';
import { RedirectsRepository } from '../store/redirects.repository.js';
import { type OpenedByAnother, ProviderSessions, type ProviderVisit } from './provider-sessions.js';
import {
  isToProvider,
  type ProviderRedirect,
  questionAbout,
  RedirectSteps,
} from './redirect-steps.js';
import { ReturnUrls } from './return-urls.js';

// For when the applicant does not return and no callback arrives.
const FIRST_CHECK_MS = 60_000;

type OpenedSession = Extract<SessionVerdict, { kind: 'OPENED' }>;
type RefusedSession = Extract<SessionVerdict, { kind: 'REFUSED' }>;

@Injectable()
export class ProviderVisits {
  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly redirects: RedirectsRepository,
    private readonly questionOutbox: QuestionOutbox,
    private readonly answers: LenderAnswers,
  ) {}

  /** @returns false when the journey has moved on */
  async record(visit: ProviderVisit, { url, covers, expiresAt }: OpenedSession): Promise<boolean> {
    const { redirect, sessionNumber } = visit;
    return this.database.transaction(async (tx) => {
      // Every transaction locks the journey before its redirect.
      const journey = await this.journeys.lock(tx, redirect.partnerId, redirect.journeyId);
      const sessionExpiresAt = expiresAt === undefined ? null : new Date(expiresAt);
      const session = { covers, sessionNumber, sessionExpiresAt };
      await this.redirects.markVisited(tx, redirect, session);
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
  async recordRefusal(
    { redirect }: ProviderVisit,
    { answerId, reason, detail }: RefusedSession,
  ): Promise<void> {
    const answer = { kind: 'REFUSED', reason, detail } as const;
    await this.database.transaction((tx) =>
      this.answers.receive(tx, { ...questionAbout(redirect), answerId, answer }),
    );
  }
}

export type UnacknowledgedTerms = Omit<HostedSelection, 'offer' | 'branch' | 'isAgreed'> & {
  readonly offer: Pick<HostedOffer, 'terms'>;
  readonly provider: ShownProvider | null;
};

@Injectable()
export class RedirectTerms {
  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly statements: KeyFactsRepository,
    private readonly keyFacts: JourneyKeyFacts,
    private readonly gateway: LenderGateway,
    private readonly acknowledgements: Acknowledgements,
  ) {}

  async of(
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

  /** Ignores an ended step and an outdated statement. */
  async acknowledge(redirect: Redirect, hash: string, language: Language): Promise<void> {
    await this.database.transaction(async (tx) => {
      const journey = await this.journeys.lock(tx, redirect.partnerId, redirect.journeyId);
      if (journey?.redirectId !== redirect.id || journey.selectedOfferId === null) return;
      const given = { hash, language, by: 'REDIRECT' } as const;
      await this.acknowledgements.record(tx, journey, journey.selectedOfferId, given);
      await this.journeys.touch(tx, journey);
    });
  }
}

export type RedirectVisit =
  | { readonly kind: 'UNACKNOWLEDGED'; readonly terms: UnacknowledgedTerms }
  | OpenedByAnother
  | { readonly kind: 'FEE'; readonly fee: VisitedFee; readonly returnUrl: string }
  | { readonly kind: 'STEP_OVER'; readonly returnUrl: string };

export interface VisitedFee {
  readonly partnerId: string;
  readonly journeyId: string;
  readonly redirectId: string;
}

/**
 * Opens a provider's session only when the applicant visits the link, after acknowledging the statement.
 */
@Injectable()
export class OpenRedirectService {
  constructor(
    private readonly database: Database,
    private readonly steps: RedirectSteps,
    private readonly payloads: SelectedPayloads,
    private readonly terms: RedirectTerms,
    private readonly sessions: ProviderSessions,
    private readonly visits: ProviderVisits,
    private readonly returnUrls: ReturnUrls,
  ) {}

  /** @throws Fault link_not_found, lender_unavailable, rate_limited */
  async visit(token: string): Promise<RedirectVisit> {
    const { redirect, journey } = await this.steps.read(token);
    const returnUrl = await this.returnUrls.afterStep(journey, redirect.step);
    // First, since an ended journey's applicant may be erased.
    if (journey.redirectId !== redirect.id) return { kind: 'STEP_OVER', returnUrl };
    const { offer, payload, isAcknowledged } = await this.database.transaction((tx) =>
      this.payloads.draw(tx, journey, redirect.attempt),
    );
    if (!isAcknowledged) {
      return { kind: 'UNACKNOWLEDGED', terms: await this.terms.of(journey, offer, redirect) };
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
    const other = await this.sessions.claim(redirect, journey);
    if (other) return other;
    const visit = {
      redirect,
      journey,
      payload,
      sessionNumber: this.sessions.sessionNumberOf(redirect),
    };
    const session = await this.sessions.open(visit, returnUrl);
    if (session.kind === 'REFUSED') {
      await this.visits.recordRefusal(visit, session);
      return { kind: 'STEP_OVER', returnUrl };
    }
    const isCurrent = await this.visits.record(visit, session);
    return isCurrent ? { kind: 'PROVIDER', url: session.url } : { kind: 'STEP_OVER', returnUrl };
  }

  /**
   * Continues as `visit`; returns to the terms when the statement is outdated.
   * @throws Fault as `visit`
   */
  async acknowledge(token: string, hash: string, language: Language): Promise<RedirectVisit> {
    const { redirect } = await this.steps.read(token);
    await this.terms.acknowledge(redirect, hash, language);
    return this.visit(token);
  }

  async partnerOf(token: string): Promise<string | null> {
    return (await this.steps.find(token))?.partnerId ?? null;
  }
}
