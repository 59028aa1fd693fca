import { Inject, Injectable, Logger } from '@nestjs/common';
import type { RedirectStep } from '../../journey-steps/index.js';
import {
  LenderGateway,
  LenderInbox,
  type LenderReply,
  LenderUnavailable,
  QuestionOutbox,
  type QuestionPayload,
} from '../../lenders/index.js';
import { Database, ENVIRONMENT, type Environment, Fault, type Tx } from '../../platform/index.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { LenderAnswers } from '../background/lender-answers.js';
import { Acknowledgements } from '../offers/acknowledgements.js';
import { SelectedPayloads } from '../domain/selected-payload.js';
import { STATE_OF_STEP } from '../domain/journey-state.js';
import { RedirectsRepository } from '../store/redirects.repository.js';
import type { Redirect } from '../store/redirect.entity.js';

/** A return from the step that the journey is at: the provider is to be asked. */
interface CurrentReturn {
  readonly redirect: Redirect;
  readonly payload: QuestionPayload;
}

/**
 * Takes the signal that the applicant is back from a redirect step. It is never proof: the provider
 * is asked, outside any transaction, and its answer goes the way of every other answer.
 */
@Injectable()
export class RedirectReturnedService {
  private readonly logger = new Logger(RedirectReturnedService.name);

  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly redirects: RedirectsRepository,
    private readonly gateway: LenderGateway,
    private readonly inbox: LenderInbox,
    private readonly answers: LenderAnswers,
    private readonly questionOutbox: QuestionOutbox,
    private readonly payloads: SelectedPayloads,
    private readonly acknowledgements: Acknowledgements,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /**
   * @returns the journey as it is afterwards
   * @throws Fault wrong_step for a step that is not reached or not in the journey,
   *   return_already_seen for one that was returned from since its verdict
   */
  async returned(journey: Journey, step: RedirectStep): Promise<Journey> {
    const current = await this.database.transaction((tx) => this.note(tx, journey, step));
    if (current) {
      const reply = await this.askProvider(journey, current);
      await this.database.transaction((tx) => this.record(tx, journey, current, reply));
    }
    return (await this.journeys.find(journey.partnerId, journey.id))!;
  }

  /** Notes the return, and answers what to ask the provider about; null when there is nothing to ask. */
  private async note(tx: Tx, seen: Journey, step: RedirectStep): Promise<CurrentReturn | null> {
    const journey = await this.journeys.lock(tx, seen.partnerId, seen.id);
    const redirect = journey && (await this.redirects.newest(tx, journey, step));
    if (!journey || !redirect) throw new Fault('wrong_step');
    if (isCurrent(journey, redirect)) return this.noteCurrent(tx, journey, redirect);
    if (journey.channel === 'API_HOSTED') throw new Fault('wrong_step');
    // The provider's callback often comes first: the first return is answered all the same.
    if (redirect.returnedAt !== null) throw new Fault('return_already_seen');
    await this.redirects.markReturned(tx, redirect);
    return null;
  }

  private async noteCurrent(
    tx: Tx,
    journey: Journey,
    redirect: Redirect,
  ): Promise<CurrentReturn | null> {
    await this.journeys.touch(tx, journey);
    const earlier = await this.redirects.awaitingReturn(tx, redirect);
    if (earlier) {
      // The applicant comes back from the try before, which the provider's callback has failed.
      await this.redirects.markReturned(tx, earlier);
      return null;
    }
    if (this.environment.mode === 'sandbox') {
      await this.acknowledgements.recordForReturn(tx, journey);
    }
    const { payload, isAcknowledged } = await this.payloads.draw(tx, journey, redirect.attempt);
    // Nobody has been at a provider whose session could not be opened yet: there is nothing to ask it.
    const mayHaveBeenThere = isAcknowledged || redirect.visitedAt !== null;
    return mayHaveBeenThere ? { redirect, payload } : null;
  }

  /** An unknown answer is pending, never failure. */
  private async askProvider(journey: Journey, current: CurrentReturn): Promise<LenderReply> {
    const { redirect, payload } = current;
    try {
      return await this.gateway.ask({
        lenderCode: redirect.lenderCode,
        kind: redirect.step,
        partnerId: journey.partnerId,
        subjectId: journey.id,
        reference: redirect.id,
        attemptsBefore: 0,
        askedAt: redirect.createdAt,
        payload,
      });
    } catch (error) {
      if (!(error instanceof LenderUnavailable)) throw error;
      this.logger.warn({ err: error, redirect: redirect.id });
      return { status: 'PENDING' };
    }
  }

  private async record(
    tx: Tx,
    journey: Journey,
    { redirect, payload }: CurrentReturn,
    reply: LenderReply,
  ): Promise<void> {
    const about = {
      partnerId: journey.partnerId,
      subjectId: journey.id,
      lenderCode: redirect.lenderCode,
      kind: redirect.step,
      reference: redirect.id,
    };
    if (reply.status === 'PENDING') {
      // Of a step that is over by now nobody is to be asked; its applicant may have been erased.
      if (await this.waitForProvider(tx, journey, redirect))
        await this.questionOutbox.put(tx, {
          ...about,
          payload,
          isSessionOpen: reply.isSessionOpen,
        });
      return;
    }
    const { answerId, answer } = reply;
    await this.inbox.receive(tx, { ...about, answerId, answer });
    const waiting = await this.inbox.takeOne(tx, { ...about, answerId });
    if (waiting) await this.answers.apply(tx, waiting);
    // A return before the verdict is not the one that ends the step: the applicant may go there again.
    // The redirect is the last to be locked, as wherever a verdict is processed: another order would be
    // a deadlock.
    await this.redirects.markReturned(tx, redirect);
  }

  /** @returns whether the journey is still at this step */
  private async waitForProvider(tx: Tx, seen: Journey, redirect: Redirect): Promise<boolean> {
    const journey = await this.journeys.lock(tx, seen.partnerId, seen.id);
    if (!journey || !isCurrent(journey, redirect)) return false;
    await this.journeys.change(tx, journey, journey.state, { isReturned: true });
    return true;
  }
}

function isCurrent(journey: Journey, redirect: Redirect): boolean {
  return journey.redirectId === redirect.id && journey.state === STATE_OF_STEP[redirect.step];
}
