import { Injectable } from '@nestjs/common';
import { isInstant, type Journey, JourneyMover } from '../../journeys/index.js';
import type { Tx } from '../../platform/index.js';
import { BindingChoices } from '../offers/binding-choices.js';

@Injectable()
export class UnpaidFees {
  constructor(
    private readonly choices: BindingChoices,
    private readonly mover: JourneyMover,
  ) {}

  /**
   * The chosen offer's fee can no longer be paid: the applicant chooses another offer, or the journey ends.
   * @param journey locked, in FEE_PENDING
   */
  async end(tx: Tx, journey: Journey): Promise<Journey> {
    if (isInstant(journey)) {
      const others = await this.choices.choosable(tx, journey);
      if (others.some(({ id }) => id !== journey.selectedOfferId))
        return this.choices.release(tx, journey);
    }
    return this.mover.move(tx, journey, 'FEE_UNPAID');
  }
}
