import { Injectable } from '@nestjs/common';
import type { RedirectStep } from '../../journey-steps/index.js';
import { QuestionOutbox, type QuestionPayload, type SentBody } from '../../lenders/index.js';
import {
  Clock,
  type Environment,
  Fault,
  InjectEnvironment,
  type Tx,
} from '../../platform/index.js';
import { Acknowledgements } from '../offers/acknowledgements.js';
import { SelectedPayloads } from '../progress/selected-payload.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { RedirectsRepository } from '../store/redirects.repository.js';
import { isCurrent, isToProvider, type ProviderRedirect, questionAbout } from './redirect-steps.js';

export interface CurrentReturn {
  readonly redirect: ProviderRedirect;
  readonly payload: QuestionPayload;
  readonly sent: SentBody;
}

@Injectable()
export class NotedReturns {
  constructor(
    private readonly journeys: JourneysRepository,
    private readonly redirects: RedirectsRepository,
    private readonly payloads: SelectedPayloads,
    private readonly acknowledgements: Acknowledgements,
    private readonly questionOutbox: QuestionOutbox,
    private readonly clock: Clock,
    @InjectEnvironment private readonly environment: Environment,
  ) {}

  /**
   * @returns null when there is nothing to ask
   * @throws Fault as `RedirectReturnedService.returned`
   */
  async note(
    tx: Tx,
    seen: Journey,
    step: RedirectStep,
    isAskedNow: boolean,
  ): Promise<CurrentReturn | null> {
    const journey = await this.journeys.lock(tx, seen.partnerId, seen.id);
    const redirect = journey && (await this.redirects.newest(tx, journey, step));
    if (!journey || !redirect || !isToProvider(redirect)) throw new Fault('wrong_step');
    if (isCurrent(journey, redirect)) return this.noteCurrent(tx, journey, redirect, isAskedNow);
    if (journey.channel === 'API_HOSTED') throw new Fault('wrong_step');
    // The callback often precedes the return, so the first return is accepted.
    if (redirect.returnedAt !== null) throw new Fault('return_already_seen');
    await this.redirects.markReturned(tx, redirect);
    return null;
  }

  private async noteCurrent(
    tx: Tx,
    journey: Journey,
    redirect: ProviderRedirect,
    isAskedNow: boolean,
  ): Promise<CurrentReturn | null> {
    await this.journeys.touch(tx, journey);
    const earlier = isAskedNow ? null : await this.redirects.awaitingReturn(tx, redirect);
    if (earlier) {
      // A return from the previous attempt, which a callback has failed meanwhile.
      await this.redirects.markReturned(tx, earlier);
      return null;
    }
    if (this.environment.mode === 'sandbox') {
      await this.acknowledgements.recordForReturn(tx, journey);
    }
    const { payload, isAcknowledged } = await this.payloads.draw(tx, journey, redirect.attempt);
    if (!(await this.canBeAsked(tx, journey, redirect, isAcknowledged))) return null;
    const { askAgainAt } = redirect;
    if (!isAskedNow && askAgainAt !== null && askAgainAt > this.clock.now()) return null;
    const sent = await this.questionOutbox.sentBody(tx, questionAbout(redirect));
    return { redirect, payload, sent };
  }

  /** Only after a session that covers the step; in the sandbox also without a visit. */
  private async canBeAsked(
    tx: Tx,
    journey: Journey,
    { visitedAt, attempt, step }: ProviderRedirect,
    isAcknowledged: boolean,
  ): Promise<boolean> {
    if (visitedAt !== null) return true;
    if (this.environment.mode === 'sandbox' && isAcknowledged) return true;
    return attempt === 1 && this.redirects.isCovered(tx, journey, step);
  }
}
