import { Injectable } from '@nestjs/common';
import { QuestionOutbox } from '../../lenders/index.js';
import { Database, type Tx } from '../../platform/index.js';
import type { Journey } from '../store/journey.entity.js';
import { redirectStepOf } from '../domain/journey-state.js';

/** Tells whom a redirect step waits for once the applicant was said to be back from it. */
@Injectable()
export class ProviderWait {
  constructor(
    private readonly database: Database,
    private readonly questionOutbox: QuestionOutbox,
  ) {}

  /**
   * Whether the applicant is done at the provider and it has not decided. While its session is still
   * open for the applicant, who left, it waits for nobody but them.
   */
  async isDeciding(journey: Journey): Promise<boolean> {
    if (!journey.isReturned) return false;
    return this.database.transaction((tx) => this.isDecidingIn(tx, journey));
  }

  async isDecidingIn(tx: Tx, { id, state, redirectId, isReturned }: Journey): Promise<boolean> {
    const step = redirectStepOf(state);
    if (!isReturned || redirectId === null || step === null) return false;
    const states = await this.questionOutbox.states(tx, id, step, redirectId);
    return !states.some(({ isSessionOpen }) => isSessionOpen);
  }
}
