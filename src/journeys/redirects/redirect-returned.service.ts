import { Inject, Injectable } from '@nestjs/common';
import type { RedirectStep } from '../../journey-steps/index.js';
import {
  LenderGateway,
  type LenderReply,
  LenderUnavailable,
  QuestionOutbox,
  type QuestionPayload,
  type SentBody,
} from '../../lenders/index.js';
import {
  Clock,
  Database,
  ENVIRONMENT,
  type Environment,
  Fault,
  type Tx,
} from '../../platform/index.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { LenderAnswers } from '../progress/lender-answers.js';
import { Acknowledgements } from '../offers/acknowledgements.js';
import { SelectedPayloads } from '../progress/selected-payload.js';
import { RedirectsRepository } from '../store/redirects.repository.js';
import { isCurrent, questionAbout, isToProvider, type ProviderRedirect } from './redirect-steps.js';

/** Where the lender names no time. */
const FIRST_WAIT_MS = 1_000;

interface CurrentReturn {
  readonly redirect: ProviderRedirect;
  readonly payload: QuestionPayload;
  readonly sent: SentBody;
}

/** A return is never proof: the provider is asked, outside any transaction. */
@Injectable()
export class RedirectReturnedService {
  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly redirects: RedirectsRepository,
    private readonly gateway: LenderGateway,
    private readonly answers: LenderAnswers,
    private readonly questionOutbox: QuestionOutbox,
    private readonly payloads: SelectedPayloads,
    private readonly acknowledgements: Acknowledgements,
    private readonly clock: Clock,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /**
   * @param isAskedNow also before the time that the provider named
   * @throws Fault wrong_step for a step not reached or not in the journey, return_already_seen for a repeated
   *   return after the verdict
   */
  async returned(journey: Journey, step: RedirectStep, isAskedNow = false): Promise<Journey> {
    const current = await this.database.transaction((tx) =>
      this.note(tx, journey, step, isAskedNow),
    );
    if (current) {
      const reply = await this.askProvider(current);
      await this.database.transaction((tx) => this.record(tx, journey, current, reply));
    }
    return (await this.journeys.find(journey.partnerId, journey.id))!;
  }

  /** @returns null when there is nothing to ask */
  private async note(
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
    // The callback often comes first: the first return is accepted all the same.
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
      // From the previous try, which the callback has failed.
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

  /** Only after a session that covers the step. The sandbox needs no visit. */
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

  /** An unknown answer is pending, never failure. */
  private async askProvider({ redirect, payload, sent }: CurrentReturn): Promise<LenderReply> {
    try {
      return await this.gateway.ask({
        ...questionAbout(redirect),
        attemptsBefore: 0,
        askedAt: redirect.createdAt,
        payload,
        sent,
      });
    } catch (error) {
      if (!(error instanceof LenderUnavailable)) throw error;
      return { status: 'PENDING', askAgainInMs: error.askAgainInMs };
    }
  }

  private async record(
    tx: Tx,
    journey: Journey,
    { redirect, payload, sent }: CurrentReturn,
    reply: LenderReply,
  ): Promise<void> {
    const about = questionAbout(redirect);
    if (reply.status === 'PENDING') {
      // No question about a step that is over; its applicant may be erased.
      if (!(await this.waitForProvider(tx, journey, redirect))) return;
      const { askAgainInMs, isSessionOpen } = reply;
      await this.questionOutbox.put(tx, {
        ...about,
        payload,
        asked: sent,
        delayMs: askAgainInMs ?? FIRST_WAIT_MS,
        isSessionOpen,
      });
      if (askAgainInMs !== undefined)
        await this.redirects.askAgainAfter(tx, redirect, askAgainInMs);
      return;
    }
    const { answerId, answer } = reply;
    await this.answers.receive(tx, { ...about, answerId, answer });
    // Before the verdict, the applicant may go there again. The redirect is locked last, as for every
    // verdict; another order would deadlock.
    await this.redirects.markReturned(tx, redirect);
  }

  /** @returns false when the step is over */
  private async waitForProvider(
    tx: Tx,
    seen: Journey,
    redirect: ProviderRedirect,
  ): Promise<boolean> {
    const journey = await this.journeys.lock(tx, seen.partnerId, seen.id);
    if (!journey || !isCurrent(journey, redirect)) return false;
    await this.journeys.change(tx, journey, journey.state, { isReturned: true });
    return true;
  }
}
