import { Injectable } from '@nestjs/common';
import { type LenderReply, QuestionOutbox } from '../../lenders/index.js';
import type { Tx } from '../../platform/index.js';
import { LenderAnswers } from '../progress/lender-answers.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { RedirectsRepository } from '../store/redirects.repository.js';
import type { CurrentReturn } from './noted-returns.js';
import { isCurrent, type ProviderRedirect, questionAbout } from './redirect-steps.js';

/** Where the lender names no time. */
const FIRST_WAIT_MS = 1_000;

/** What the provider says after a return. */
@Injectable()
export class ReturnReplies {
  constructor(
    private readonly journeys: JourneysRepository,
    private readonly redirects: RedirectsRepository,
    private readonly questionOutbox: QuestionOutbox,
    private readonly answers: LenderAnswers,
  ) {}

  async record(
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
