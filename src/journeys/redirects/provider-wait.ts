import { Injectable } from '@nestjs/common';
import { QuestionOutbox } from '../../lenders/index.js';
import { Database } from '../../platform/index.js';
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
  async isDeciding({ id, state, redirectId, isReturned }: Journey): Promise<boolean> {
    const step = redirectStepOf(state);
    if (!isReturned || redirectId === null || step === null) return false;
    const states = await this.database.transaction((tx) =>
      this.questionOutbox.states(tx, id, step, redirectId),
    );
    return !states.some(({ isSessionOpen }) => isSessionOpen);
  }
}
