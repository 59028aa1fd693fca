import { Injectable } from '@nestjs/common';
import { Database, isFault } from '../../platform/index.js';
import { Leaving } from './leaving.js';
import { OfferChangePolicy } from '../offers/offer-change-policy.js';
import { type LinkedRedirect, RedirectSteps } from '../redirects/redirect-steps.js';
import { ReturnUrls } from '../redirects/return-urls.js';
import {
  type PossibleFee,
  type PossibleMandate,
  type PossibleValuation,
  StopConsequences,
} from '../redirects/stop-consequences.js';

interface Refused {
  readonly valuations: readonly PossibleValuation[];
  readonly mandates: readonly PossibleMandate[];
  /** Null: not paid. */
  readonly fee: PossibleFee | null;
}

/** `PAST`: the link works as on a visit. */
export type LinkRefusal =
  | ({ readonly kind: 'OPEN' } & Refused)
  | ({ readonly kind: 'STOPPED'; readonly returnUrl: string | null } & Refused)
  | { readonly kind: 'PAST' };

/** Headless applicants have no session, so the link is the permission. */
@Injectable()
export class LinkRefusalService {
  constructor(
    private readonly database: Database,
    private readonly consequences: StopConsequences,
    private readonly steps: RedirectSteps,
    private readonly changePolicy: OfferChangePolicy,
    private readonly leaving: Leaving,
    private readonly returnUrls: ReturnUrls,
  ) {}

  /** @throws Fault link_not_found */
  async read(token: string): Promise<LinkRefusal> {
    return this.standingOf(await this.steps.read(token));
  }

  /**
   * Withdraws the consent that the partner attested. Does nothing once the journey has ended, or the agreement is or
   * may be signed.
   * @throws Fault link_not_found, action_in_flight, rate_limited
   */
  async stop(token: string): Promise<void> {
    const found = await this.steps.read(token);
    if ((await this.standingOf(found)).kind !== 'OPEN') return;
    try {
      await this.leaving.stop(found.journey);
    } catch (error) {
      // Another browser was faster, or the agreement is signed.
      if (!isFault(error, 'wrong_step')) throw error;
    }
  }

  private async standingOf({ redirect, journey }: LinkedRedirect): Promise<LinkRefusal> {
    if (journey.outcomeReason === 'CONSENT_WITHDRAWN') {
      const returnUrl = await this.returnUrls.afterJourney(journey);
      return { kind: 'STOPPED', returnUrl, ...(await this.consequences.of(journey)) };
    }
    // Hosted applicants stop in their session.
    if (journey.redirectId !== redirect.id || journey.channel === 'API_HOSTED') {
      return { kind: 'PAST' };
    }
    const mayBeSigned = await this.database.transaction((tx) =>
      this.changePolicy.mayBeSigned(tx, journey),
    );
    if (mayBeSigned) return { kind: 'PAST' };
    return { kind: 'OPEN', ...(await this.consequences.of(journey)) };
  }
}
