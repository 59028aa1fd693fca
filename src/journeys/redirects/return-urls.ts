import { Injectable } from '@nestjs/common';
import { PartnerReturnUrls } from '../../auth/index.js';
import type { LinkedStep } from '../../journey-steps/index.js';
import { PartnerReferences } from '../../leads/index.js';
import { Database, type Environment, InjectEnvironment } from '../../platform/index.js';
import type { Journey } from '../store/journey.entity.js';
import { isInstant } from '../domain/journey.js';
import { leadStatusOf } from '../domain/lead-status.js';
import { outcomeOf } from '../domain/journey-state.js';

@Injectable()
export class ReturnUrls {
  constructor(
    private readonly database: Database,
    private readonly returnUrls: PartnerReturnUrls,
    private readonly references: PartnerReferences,
    @InjectEnvironment private readonly environment: Environment,
  ) {}

  /** Hosted: the next screen. Headless: the partner's page, else a page of this service. */
  async afterStep(journey: Journey, step: LinkedStep): Promise<string> {
    const { baseUrl } = this.environment;
    // The browser's session identifies the journey.
    if (journey.channel === 'API_HOSTED') return `${baseUrl}/hosted/returned/${step}`;
    const url = (await this.partnersOwn(journey)) ?? new URL('/returned', baseUrl);
    url.searchParams.set('journeyId', journey.id);
    url.searchParams.set('step', step);
    return url.toString();
  }

  /** Null: the partner has no page. */
  async afterJourney(journey: Journey): Promise<string | null> {
    const url = await this.partnersOwn(journey);
    if (url === null) return null;
    if (isInstant(journey)) {
      url.searchParams.set('applicationId', journey.applicationId);
      url.searchParams.set('status', leadStatusOf(journey));
      return url.toString();
    }
    url.searchParams.set('journeyId', journey.id);
    url.searchParams.set('outcome', outcomeOf(journey.state));
    return url.toString();
  }

  /** In the sandbox it may be a page of this service. */
  private async partnersOwn({ partnerId, ...journey }: Journey): Promise<URL | null> {
    const { returnUrl } = this.references.open(journey.applicationId, journey.referenceSealed);
    const address =
      returnUrl ?? (await this.database.transaction((tx) => this.returnUrls.of(tx, partnerId)));
    return address === null ? null : new URL(address, this.environment.baseUrl);
  }
}
