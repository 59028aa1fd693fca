import { Injectable } from '@nestjs/common';
import type { QuestionPayload } from '../../lenders/index.js';
import { Database, type Language } from '../../platform/index.js';
import { SelectedPayloads } from '../progress/selected-payload.js';
import type { Journey } from '../store/journey.entity.js';
import { type OpenedByAnother, ProviderSessions } from './provider-sessions.js';
import { ProviderVisits } from './provider-visits.js';
import { isToProvider, type ProviderRedirect, RedirectSteps } from './redirect-steps.js';
import { RedirectTerms, type UnacknowledgedTerms } from './redirect-terms.js';
import { ReturnUrls } from './return-urls.js';

/** Where a visit to a redirect link leads. */
export type RedirectVisit =
  | { readonly kind: 'UNACKNOWLEDGED'; readonly terms: UnacknowledgedTerms }
  | OpenedByAnother
  /** The fee is to be paid at the gateway. */
  | { readonly kind: 'FEE'; readonly fee: VisitedFee; readonly returnUrl: string }
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
    // Checked first: the applicant of a journey that is over may be erased.
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
   * Records the acknowledgement and continues as `visit`: back to the terms when another statement is in force.
   * @throws Fault as `visit`
   */
  async acknowledge(token: string, hash: string, language: Language): Promise<RedirectVisit> {
    const { redirect } = await this.steps.read(token);
    await this.terms.acknowledge(redirect, hash, language);
    return this.visit(token);
  }

  /** Null for an unknown token. */
  async partnerOf(token: string): Promise<string | null> {
    return (await this.steps.find(token))?.partnerId ?? null;
  }
}
