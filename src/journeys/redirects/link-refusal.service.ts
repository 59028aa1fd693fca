import { Injectable } from '@nestjs/common';
import { Database, Fault } from '../../platform/index.js';
import { Leaving } from '../applicant/leaving.js';
import { WaysBack } from '../offers/ways-back.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import type { Redirect } from '../store/redirect.entity.js';
import { RedirectsRepository } from '../store/redirects.repository.js';
import { type PossibleMandate, PossibleMandates } from './possible-mandates.js';
import { type PossibleValuation, PossibleValuations } from './possible-valuations.js';
import { RedirectSteps } from './redirect-steps.js';
import { ReturnUrls } from './return-urls.js';

/** What a no leaves behind. */
interface Refused {
  readonly valuations: readonly PossibleValuation[];
  readonly mandates: readonly PossibleMandate[];
}

/** What a no by a redirect link comes to. `PAST`: the link leads on, as on a visit. */
export type LinkRefusal =
  | ({ readonly kind: 'OPEN' } & Refused)
  /** `returnUrl` is the partner's page; null when it has given none. */
  | ({ readonly kind: 'STOPPED'; readonly returnUrl: string | null } & Refused)
  | { readonly kind: 'PAST' };

interface Found {
  readonly redirect: Redirect;
  readonly journey: Journey;
}

/**
 * How the applicant of a headless journey says no. They have no session on our screens: the link that shows
 * them what they would agree to is the permission, as it is for agreeing.
 */
@Injectable()
export class LinkRefusalService {
  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly redirects: RedirectsRepository,
    private readonly mandates: PossibleMandates,
    private readonly valuations: PossibleValuations,
    private readonly steps: RedirectSteps,
    private readonly waysBack: WaysBack,
    private readonly leaving: Leaving,
    private readonly returnUrls: ReturnUrls,
  ) {}

  /** @throws Fault link_not_found when the token is not one of ours */
  async read(token: string): Promise<LinkRefusal> {
    return this.standingOf(await this.find(token));
  }

  /**
   * Ends the journey, since the applicant takes back the consent that the partner has told of; does nothing
   * once it is over, or the agreement is or may be signed.
   * @throws Fault link_not_found, and action_in_flight and rate_limited as `Leaving.stop`
   */
  async stop(token: string): Promise<LinkRefusal> {
    const found = await this.find(token);
    const standing = await this.standingOf(found);
    if (standing.kind !== 'OPEN') return standing;
    try {
      await this.leaving.stop(found.journey);
    } catch (error) {
      // Another browser was faster, or the lender says that the agreement is signed.
      if (!(error instanceof Fault && error.code === 'wrong_step')) throw error;
    }
    return this.read(token);
  }

  private async standingOf({ redirect, journey }: Found): Promise<LinkRefusal> {
    if (journey.outcomeReason === 'CONSENT_WITHDRAWN') {
      const returnUrl = await this.returnUrls.afterJourney(journey);
      return { kind: 'STOPPED', returnUrl, ...(await this.refusedOf(journey)) };
    }
    // The applicant of a hosted journey is signed in where they stop.
    if (journey.redirectId !== redirect.id || journey.channel === 'API_HOSTED') {
      return { kind: 'PAST' };
    }
    const mayBeSigned = await this.database.transaction((tx) =>
      this.waysBack.mayBeSigned(tx, journey),
    );
    if (mayBeSigned) return { kind: 'PAST' };
    return { kind: 'OPEN', ...(await this.refusedOf(journey)) };
  }

  private async refusedOf(journey: Journey): Promise<Refused> {
    const valuations = await this.valuations.of(journey);
    return { valuations, mandates: await this.mandates.of(journey) };
  }

  private async find(token: string): Promise<Found> {
    const id = this.steps.readToken(token);
    const redirect =
      id && (await this.database.transaction((tx) => this.redirects.findByLink(tx, id)));
    const journey = redirect && (await this.journeys.find(redirect.partnerId, redirect.journeyId));
    if (!redirect || !journey) throw new Fault('link_not_found');
    return { redirect, journey };
  }
}
