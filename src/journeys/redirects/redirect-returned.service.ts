import { Injectable } from '@nestjs/common';
import type { RedirectStep } from '../../journey-steps/index.js';
import {
  LenderGateway,
  type LenderReply,
  LenderUnavailable,
  QuestionOutbox,
} from '../../lenders/index.js';
import { Database, type Tx } from '../../platform/index.js';
import { LenderAnswers } from '../progress/lender-answers.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { RedirectsRepository } from '../store/redirects.repository.js';
import { type CurrentReturn, NotedReturns } from './noted-returns.js';
import { isCurrent, type ProviderRedirect, questionAbout } from './redirect-steps.js';

/** When the lender names no time. */
const FIRST_WAIT_MS = 1_000;

/** A return proves nothing: the provider is asked, outside any transaction. */
@Injectable()
export class RedirectReturnedService {
  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly redirects: RedirectsRepository,
    private readonly noted: NotedReturns,
    private readonly gateway: LenderGateway,
    private readonly questionOutbox: QuestionOutbox,
    private readonly answers: LenderAnswers,
  ) {}

  /**
   * @param isAskedNow also before the time that the provider named
   * @throws Fault wrong_step for another step, return_already_seen for a repeated return after the verdict
   */
  async returned(journey: Journey, step: RedirectStep, isAskedNow = false): Promise<Journey> {
    const current = await this.database.transaction((tx) =>
      this.noted.note(tx, journey, step, isAskedNow),
    );
    if (current) {
      const reply = await this.askProvider(current);
      await this.database.transaction((tx) => this.record(tx, journey, current, reply));
    }
    return (await this.journeys.find(journey.partnerId, journey.id))!;
  }

  /** An unknown answer is pending, never a failure. */
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
      // The step has ended and the applicant's data may be erased, so the provider is not asked again.
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
    // Before the verdict, the applicant may go there again. Every verdict locks the redirect last; another order
    // would deadlock.
    await this.redirects.markReturned(tx, redirect);
  }

  /** @returns false when the step has ended */
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
