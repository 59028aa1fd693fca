import { Inject, Injectable } from '@nestjs/common';
import { PartnerReturnUrls } from '../../auth/index.js';
import type { RedirectStep } from '../../journey-steps/index.js';
import { Database, ENVIRONMENT, type Environment } from '../../platform/index.js';
import type { Journey } from '../store/journey.entity.js';
import { outcomeOf } from '../domain/journey-state.js';

/** Where the applicant goes when a provider, or the journey, is done with them. */
@Injectable()
export class ReturnUrls {
  constructor(
    private readonly database: Database,
    private readonly returnUrls: PartnerReturnUrls,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /**
   * On the hosted screens, back to them; headless, to the partner's own address, or to a page of
   * ours when it has given none.
   */
  async afterStep(journey: Journey, step: RedirectStep): Promise<string> {
    const { baseUrl } = this.environment;
    // The browser's session says whose journey it is: the address need not.
    if (journey.channel === 'API_HOSTED') return `${baseUrl}/hosted/returned/${step}`;
    const url = (await this.partnersOwn(journey)) ?? new URL('/returned', baseUrl);
    url.searchParams.set('journeyId', journey.id);
    url.searchParams.set('step', step);
    return url.toString();
  }

  /** Where the last hosted screen leads: null when the partner has given no address. */
  async afterJourney(journey: Journey): Promise<string | null> {
    const url = await this.partnersOwn(journey);
    if (url === null) return null;
    url.searchParams.set('journeyId', journey.id);
    url.searchParams.set('outcome', outcomeOf(journey.state));
    return url.toString();
  }

  /** In the sandbox it may be a page of this service, which stands in for the partner's. */
  private async partnersOwn({ partnerId }: Journey): Promise<URL | null> {
    const address = await this.database.transaction((tx) => this.returnUrls.of(tx, partnerId));
    return address === null ? null : new URL(address, this.environment.baseUrl);
  }
}
