import { Injectable } from '@nestjs/common';
import { QuestionOutbox } from '../../lenders/index.js';
import { Database, type Tx } from '../../platform/index.js';
import type { Journey } from '../store/journey.entity.js';
import { redirectStepOf } from '../domain/journey-state.js';

@Injectable()
export class ProviderWait {
  constructor(
    private readonly database: Database,
    private readonly questionOutbox: QuestionOutbox,
  ) {}

  /**
   * Whether the applicant is back, or paying, and nothing is decided. While the session is open, the provider
   * waits for the applicant.
   */
  async isDeciding(journey: Journey): Promise<boolean> {
    if (!journey.isReturned) return false;
    return this.database.transaction((tx) => this.isDecidingIn(tx, journey));
  }

  async isDecidingIn(tx: Tx, { id, state, redirectId, isReturned }: Journey): Promise<boolean> {
    // Only the gateway's notice ends the wait for a fee.
    if (state === 'FEE_PENDING') return isReturned;
    const step = redirectStepOf(state);
    if (!isReturned || redirectId === null || step === null) return false;
    const states = await this.questionOutbox.states(tx, id, step, redirectId);
    return !states.some(({ isSessionOpen }) => isSessionOpen);
  }
}
