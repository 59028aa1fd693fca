import { Injectable } from '@nestjs/common';
import { REDIRECT_STEPS } from '../../journey-steps/index.js';
import { QuestionOutbox } from '../../lenders/index.js';
import type { Tx } from '../../platform/index.js';
import type { Journey } from '../store/journey.entity.js';
import { isStillAsking } from '../offers/ended-rounds.js';
import { OfferRequests } from '../offers/offer-requests.js';
import { CoveredSteps } from '../redirects/covered-steps.js';
import { RedirectSteps } from '../redirects/redirect-steps.js';
import { DecisionRequest } from './decision-request.js';
import { FeeStep } from './fee-step.js';
import { LenderWithdrawals } from './lender-withdrawals.js';
import { SelectedPayloads } from './selected-payload.js';
import { isInstant } from '../domain/journey.js';
import { type JourneyState, redirectStepOf } from '../domain/journey-state.js';

/** In these states no question needs an answer; entering OFFERS_RECEIVED also undoes a choice. */
const ENDS_QUESTIONS: ReadonlySet<JourneyState> = new Set([
  'OFFERS_RECEIVED',
  'REJECTED',
  'ABANDONED',
]);

const ENDS_PAYMENT: ReadonlySet<JourneyState> = new Set([...ENDS_QUESTIONS, 'SANCTIONED']);

/** The effects of entering a state, in the transaction of the move. */
@Injectable()
export class StateEntry {
  constructor(
    private readonly offerRequests: OfferRequests,
    private readonly redirects: RedirectSteps,
    private readonly covered: CoveredSteps,
    private readonly questionOutbox: QuestionOutbox,
    private readonly payloads: SelectedPayloads,
    private readonly withdrawals: LenderWithdrawals,
    private readonly fee: FeeStep,
    private readonly decision: DecisionRequest,
  ) {}

  async enterAll(tx: Tx, journeys: readonly Journey[]): Promise<Journey[]> {
    await this.closeQuestions(tx, journeys);
    await this.fee.end(
      tx,
      journeys.filter(({ state }) => ENDS_PAYMENT.has(state)),
    );
    const entered: Journey[] = [];
    for (const journey of journeys) entered.push(await this.enter(tx, journey));
    return entered;
  }

  private async closeQuestions(tx: Tx, journeys: readonly Journey[]): Promise<void> {
    const ids = journeys
      .filter((journey) => ENDS_QUESTIONS.has(journey.state) && !isStillAsking(journey))
      .map(({ id }) => id);
    if (ids.length > 0) await this.questionOutbox.close(tx, ids, ['OFFERS', ...REDIRECT_STEPS]);
  }

  private async enter(tx: Tx, journey: Journey): Promise<Journey> {
    const step = redirectStepOf(journey.state);
    if (step) {
      return this.covered.goOn(tx, await this.redirects.open(tx, journey, step, 1), step);
    }
    switch (journey.state) {
      case 'INITIATED':
        return this.offerRequests.askAgain(tx, journey);
      case 'FEE_PENDING':
        return this.fee.ask(tx, journey);
      case 'DECISION_PENDING':
        await this.decision.ask(tx, journey);
        return journey;
      case 'DISBURSEMENT_PENDING':
        await this.askToPayOut(tx, journey);
        return journey;
      case 'ABANDONED':
        await this.tellAbandoned(tx, journey);
        return journey;
      case 'REJECTED':
        // Before the choice every lender declined or was given up.
        // Of a paid instant loan the lender itself decides.
        if (journey.selectedOfferId && !isInstant(journey)) {
          await this.withdrawals.tellOver(tx, journey, 'ENDED');
        }
        return journey;
      default:
        return journey;
    }
  }

  private async tellAbandoned(tx: Tx, journey: Journey): Promise<void> {
    if (journey.outcomeReason === 'CONSENT_WITHDRAWN') {
      await this.withdrawals.tellConsentWithdrawn(tx, journey);
    } else {
      await this.withdrawals.tellOver(tx, journey, 'ABANDONED');
    }
  }

  private async askToPayOut(tx: Tx, journey: Journey): Promise<void> {
    const { offer, payload } = await this.payloads.draw(tx, journey);
    // Until now another lender's offer could be chosen.
    if (journey.channel === 'API_HOSTED') await this.withdrawals.tellNotChosen(tx, journey, offer);
    await this.questionOutbox.put(tx, {
      partnerId: journey.partnerId,
      subjectId: journey.id,
      lenderCode: offer.lenderCode,
      kind: 'DISBURSEMENT',
      reference: offer.id,
      payload,
    });
  }
}
