import { Injectable } from '@nestjs/common';
import { isRedirectStep, type LinkedStep, type RedirectStep } from '../../journey-steps/index.js';
import {
  Database,
  type Environment,
  Fault,
  IdGenerator,
  InjectEnvironment,
  Keyring,
  type Tx,
} from '../../platform/index.js';
import { STATE_OF_STEP } from '../domain/journey-state.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import type { Redirect } from '../store/redirect.entity.js';
import { RedirectsRepository } from '../store/redirects.repository.js';

const LINK_PURPOSE = 'redirect';

export interface LinkedRedirect {
  readonly redirect: Redirect;
  readonly journey: Journey;
}

@Injectable()
export class RedirectSteps {
  constructor(
    private readonly database: Database,
    private readonly redirects: RedirectsRepository,
    private readonly journeys: JourneysRepository,
    private readonly ids: IdGenerator,
    private readonly keyring: Keyring,
    @InjectEnvironment private readonly environment: Environment,
  ) {}

  /** Our own link, so that no action waits for a provider. */
  urlOf(redirectId: string): string {
    return `${this.environment.baseUrl}/r/${this.keyring.signLink(redirectId, LINK_PURPOSE)}`;
  }

  async find(token: string): Promise<Redirect | null> {
    const id = this.keyring.readLink(token, LINK_PURPOSE);
    if (id === null) return null;
    return this.database.transaction((tx) => this.redirects.findByLink(tx, id));
  }

  /** @throws Fault link_not_found */
  async read(token: string): Promise<LinkedRedirect> {
    const redirect = await this.find(token);
    const journey = redirect && (await this.journeys.find(redirect.partnerId, redirect.journeyId));
    if (!redirect || !journey) throw new Fault('link_not_found');
    return { redirect, journey };
  }

  async open(tx: Tx, journey: Journey, step: LinkedStep, attempt: number): Promise<Journey> {
    const id = this.ids.next('rdr');
    await this.redirects.insert(tx, journey, { id, step, attempt });
    return this.journeys.redirectTo(tx, journey, { id, attempt });
  }
}

export type ProviderRedirect = Redirect & { readonly step: RedirectStep };

export function isToProvider(redirect: Redirect): redirect is ProviderRedirect {
  return isRedirectStep(redirect.step);
}

export function isCurrent(journey: Journey, redirect: Redirect): boolean {
  return journey.redirectId === redirect.id && journey.state === STATE_OF_STEP[redirect.step];
}

export function questionAbout(redirect: ProviderRedirect) {
  const { partnerId, journeyId: subjectId, lenderCode, step: kind, id: reference } = redirect;
  return { partnerId, subjectId, lenderCode, kind, reference };
}
