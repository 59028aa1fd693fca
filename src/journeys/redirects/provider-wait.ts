import { Injectable } from '@nestjs/common';
import { QuestionOutbox } from '../../lenders/index.js';
import { Clock, Database, type Tx } from '../../platform/index.js';
import type { Journey } from '../store/journey.entity.js';
import { redirectStepOf } from '../domain/journey-state.js';

const PAYING_MS = 15 * 60_000;

@Injectable()
export class ProviderWait {
  constructor(
    private readonly database: Database,
    private readonly questionOutbox: QuestionOutbox,
    private readonly clock: Clock,
  ) {}

  /**
   * The applicant has returned or is paying, and no result is known. While the session is open, the provider waits
   * for the applicant.
   */
  async isDeciding(journey: Journey): Promise<boolean> {
    if (!journey.isReturned) return false;
    return this.database.transaction((tx) => this.isDecidingIn(tx, journey));
  }

  async isDecidingIn(
    tx: Tx,
    { id, state, redirectId, isReturned, lastActivityAt }: Journey,
  ): Promise<boolean> {
    if (state === 'FEE_PENDING') return isReturned && this.isVisitRecent(lastActivityAt);
    const step = redirectStepOf(state);
    if (!isReturned || redirectId === null || step === null) return false;
    const states = await this.questionOutbox.states(tx, id, step, redirectId);
    return !states.some(({ isSessionOpen }) => isSessionOpen);
  }

  /** A closed tab sends nothing, so after a while the applicant is sent to the payment again. */
  private isVisitRecent(lastActivityAt: Date): boolean {
    return this.clock.now().getTime() - lastActivityAt.getTime() < PAYING_MS;
  }
}
