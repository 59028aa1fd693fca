import { Injectable } from '@nestjs/common';
import type { RedirectStep } from '../../journey-steps/index.js';
import { QuestionOutbox } from '../../lenders/index.js';
import type { Tx } from '../../platform/index.js';
import { SelectedPayloads } from '../progress/selected-payload.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { RedirectsRepository } from '../store/redirects.repository.js';

/**
 * Many lenders have one page for several steps. The lender is asked about each, and the applicant returns
 * there only if it waits for them.
 */
@Injectable()
export class CoveredSteps {
  constructor(
    private readonly redirects: RedirectsRepository,
    private readonly journeys: JourneysRepository,
    private readonly questionOutbox: QuestionOutbox,
    private readonly payloads: SelectedPayloads,
  ) {}

  /** @param journey at the step's first try */
  async goOn(tx: Tx, journey: Journey, step: RedirectStep): Promise<Journey> {
    const { redirectId } = journey;
    if (redirectId === null || !(await this.redirects.isCovered(tx, journey, step))) return journey;
    const { offer, payload } = await this.payloads.draw(tx, journey, 1);
    await this.questionOutbox.put(tx, {
      partnerId: journey.partnerId,
      subjectId: journey.id,
      lenderCode: offer.lenderCode,
      kind: step,
      reference: redirectId,
      payload,
    });
    const changed = await this.journeys.change(tx, journey, journey.state, { isReturned: true });
    return changed ?? journey;
  }
}
