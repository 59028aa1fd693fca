import { Inject, Injectable } from '@nestjs/common';
import type { RedirectStep } from '../../journey-steps/index.js';
import { ENVIRONMENT, type Environment, IdGenerator, Keyring, Tx } from '../../platform/index.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { RedirectsRepository } from '../store/redirects.repository.js';

const LINK_PURPOSE = 'redirect';

/** Our stable links to providers. */
@Injectable()
export class RedirectSteps {
  constructor(
    private readonly redirects: RedirectsRepository,
    private readonly journeys: JourneysRepository,
    private readonly ids: IdGenerator,
    private readonly keyring: Keyring,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** Our own link, so that no action waits for a provider. */
  urlOf(redirectId: string): string {
    return `${this.environment.baseUrl}/r/${this.keyring.signLink(redirectId, LINK_PURPOSE)}`;
  }

  readToken(token: string): string | null {
    return this.keyring.readLink(token, LINK_PURPOSE);
  }

  /** Makes it the journey's current redirect. */
  async open(tx: Tx, journey: Journey, step: RedirectStep, attempt: number): Promise<Journey> {
    const id = this.ids.next('rdr');
    await this.redirects.insert(tx, journey, { id, step, attempt });
    return this.journeys.redirectTo(tx, journey, { id, attempt });
  }
}
