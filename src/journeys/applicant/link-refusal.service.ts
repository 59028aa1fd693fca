import { Injectable } from '@nestjs/common';
import { Database, Fault } from '../../platform/index.js';
import { Leaving } from './leaving.js';
import { WaysBack } from '../offers/ways-back.js';
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
  /** Null where none was paid. */
  readonly fee: PossibleFee | null;
}

/** `PAST`: the link leads on, as on a visit. */
export type LinkRefusal =
  | ({ readonly kind: 'OPEN' } & Refused)
  /** `returnUrl`: null when the partner has none. */
  | ({ readonly kind: 'STOPPED'; readonly returnUrl: string | null } & Refused)
  | { readonly kind: 'PAST' };

/**
 * Lets applicants of headless journeys stop: without a session, the link is the permission, as for agreeing.
 */
@Injectable()
export class LinkRefusalService {
  constructor(
    private readonly database: Database,
    private readonly consequences: StopConsequences,
    private readonly steps: RedirectSteps,
    private readonly waysBack: WaysBack,
    private readonly leaving: Leaving,
    private readonly returnUrls: ReturnUrls,
  ) {}

  /** @throws Fault link_not_found */
  async read(token: string): Promise<LinkRefusal> {
    return this.standingOf(await this.steps.read(token));
  }

  /**
   * Withdraws the consent that the partner attested. Does nothing once the journey is over, or the agreement
   * is or may be signed.
   * @throws Fault link_not_found, action_in_flight, rate_limited
   */
  async stop(token: string): Promise<LinkRefusal> {
    const found = await this.steps.read(token);
    const standing = await this.standingOf(found);
    if (standing.kind !== 'OPEN') return standing;
    try {
      await this.leaving.stop(found.journey);
    } catch (error) {
      // Another browser was faster, or it is signed.
      if (!(error instanceof Fault && error.code === 'wrong_step')) throw error;
    }
    return this.read(token);
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
      this.waysBack.mayBeSigned(tx, journey),
    );
    if (mayBeSigned) return { kind: 'PAST' };
    return { kind: 'OPEN', ...(await this.consequences.of(journey)) };
  }
}
