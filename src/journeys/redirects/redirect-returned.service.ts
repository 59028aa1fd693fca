import { Injectable } from '@nestjs/common';
import type { RedirectStep } from '../../journey-steps/index.js';
import { LenderGateway, type LenderReply, LenderUnavailable } from '../../lenders/index.js';
import { Database } from '../../platform/index.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { type CurrentReturn, NotedReturns } from './noted-returns.js';
import { questionAbout } from './redirect-steps.js';
import { ReturnReplies } from './return-replies.js';

/** A return is never proof: the provider is asked, outside any transaction. */
@Injectable()
export class RedirectReturnedService {
  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly noted: NotedReturns,
    private readonly gateway: LenderGateway,
    private readonly replies: ReturnReplies,
  ) {}

  /**
   * @param isAskedNow also before the time that the provider named
   * @throws Fault wrong_step for a step not reached or not in the journey, return_already_seen for a repeated
   *   return after the verdict
   */
  async returned(journey: Journey, step: RedirectStep, isAskedNow = false): Promise<Journey> {
    const current = await this.database.transaction((tx) =>
      this.noted.note(tx, journey, step, isAskedNow),
    );
    if (current) {
      const reply = await this.askProvider(current);
      await this.database.transaction((tx) => this.replies.record(tx, journey, current, reply));
    }
    return (await this.journeys.find(journey.partnerId, journey.id))!;
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
}
