import { Inject, Injectable } from '@nestjs/common';
import type { RedirectStep } from '../../lenders/index.js';
import { Database, ENVIRONMENT, type Environment } from '../../platform/index.js';
import type { Journey } from '../journey.js';

/** Where the applicant goes when a provider, or the journey, is done with them. */
@Injectable()
export class ReturnUrls {
  constructor(
    private readonly database: Database,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** The partner's own address, or a page of ours when it has given none. */
  async afterStep(journey: Journey, step: RedirectStep): Promise<string> {
    const [partner] = await this.database.query<{ return_url: string | null }>(
      'SELECT return_url FROM partners WHERE id = $1',
      [journey.partnerId],
    );
    const url = new URL(partner?.return_url ?? `${this.environment.baseUrl}/returned`);
    url.searchParams.set('journeyId', journey.id);
    url.searchParams.set('step', step);
    return url.toString();
  }
}
