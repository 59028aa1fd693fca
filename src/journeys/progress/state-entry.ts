import { Injectable } from '@nestjs/common';
import { ConsentLog } from '../../consents/index.js';
import { DECISION, FEE, REDIRECT_STEPS, type RedirectStep } from '../../journey-steps/index.js';
import { LenderReferences, QuestionOutbox } from '../../lenders/index.js';
import { UnsettledPayments } from '../../payments/index.js';
import type { Tx } from '../../platform/index.js';
import { isTerminal, type JourneyState, redirectStepOf } from '../domain/journey-state.js';
import { isInstant, payableUntil } from '../domain/journey.js';
import { isStillAsking } from '../offers/ended-rounds.js';
import { OfferRequests } from '../offers/offer-requests.js';
import { RedirectSteps } from '../redirects/redirect-steps.js';
import { JourneyAudit } from '../store/journey-audit.js';
import { JourneyFeesRepository } from '../store/journey-fees.repository.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { OffersRepository } from '../store/offers.repository.js';
import { RedirectsRepository } from '../store/redirects.repository.js';
import { LenderWithdrawals } from './lender-withdrawals.js';
import { SelectedPayloads } from './selected-payload.js';

/**
 * Many lenders have one page for several steps. The lender is asked about each step; the applicant returns there only
 * if it waits for them.
 */
@Injectable()
export class CoveredSteps {
  constructor(
    private readonly redirects: RedirectsRepository,
    private readonly journeys: JourneysRepository,
    private readonly questionOutbox: QuestionOutbox,
    private readonly payloads: SelectedPayloads,
  ) {}

  /** @param journey at the step's first attempt */
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

@Injectable()
export class DecisionRequest {
  constructor(
    private readonly payloads: SelectedPayloads,
    private readonly withdrawals: LenderWithdrawals,
    private readonly consents: ConsentLog,
    private readonly questionOutbox: QuestionOutbox,
    private readonly references: LenderReferences,
  ) {}

  /** In the transaction that enters the step, so that no paid application is lost. */
  async ask(tx: Tx, journey: Journey): Promise<void> {
    const { id: subjectId, partnerId, applicationId } = journey;
    const { offer, payload } = await this.payloads.draw(tx, journey);
    const { id: reference, lenderCode } = offer;
    // Until now another lender's offer could be chosen.
    await this.withdrawals.notifyNotChosen(tx, journey, offer);
    const attested = await this.consents.attested(tx, partnerId, subjectId);
    if (!attested) throw new Error(`journey ${subjectId} has no consent`);
    await this.questionOutbox.put(tx, {
      partnerId,
      subjectId,
      lenderCode,
      kind: DECISION.question,
      reference,
      payload: { ...payload, consent: attested.forLenders },
    });
    // From now on the lender may send messages about the application.
    const known = { lenderCode, partnerId, subjectId, applicationId, isPayoutReported: false };
    await this.references.note(tx, { ...known, kind: 'APPLICATION', reference: applicationId });
  }
}

/** `instant-loans` takes the payment. */
@Injectable()
export class FeeStep {
  constructor(
    private readonly offers: OffersRepository,
    private readonly redirects: RedirectSteps,
    private readonly fees: JourneyFeesRepository,
    private readonly payments: UnsettledPayments,
    private readonly audit: JourneyAudit,
  ) {}

  async ask(tx: Tx, journey: Journey): Promise<Journey> {
    const { id: journeyId, partnerId, selection } = journey;
    const { lenderCode, terms, validUntil } = await this.offers.selected(tx, journey);
    const opened = await this.redirects.open(tx, journey, FEE.name, 1);
    const { redirectId } = opened;
    if (!selection || !redirectId) throw new Error(`journey ${journeyId} has no choice to pay for`);
    const { processingFees: amount } = selection;
    const feeOnDecline = terms.feeOnDecline ?? 'REFUND';
    const fee = { redirectId, partnerId, journeyId, lenderCode, amount, feeOnDecline };
    const latest = isInstant(journey) ? payableUntil(journey, validUntil) : null;
    await this.fees.insert(tx, fee, latest);
    const facts = { redirectId, lenderCode, amount, feeOnDecline };
    await this.audit.record(tx, opened, 'FEE_ASKED', facts);
    return opened;
  }

  /** For journeys that ended or whose choice was undone. */
  async end(tx: Tx, journeys: readonly Journey[]): Promise<void> {
    for (const journey of journeys.filter(({ steps }) => steps.includes(FEE.name))) {
      await this.fees.expireAllOf(tx, journey);
      if (isTerminal(journey.state)) await this.payments.settleSoon(tx, journey.id);
    }
  }
}

/** Entering these ends open questions; entering OFFERS_RECEIVED also undoes a choice. */
const ENDS_QUESTIONS: ReadonlySet<JourneyState> = new Set([
  'OFFERS_RECEIVED',
  'REJECTED',
  'ABANDONED',
]);

const ENDS_PAYMENT: ReadonlySet<JourneyState> = new Set([...ENDS_QUESTIONS, 'SANCTIONED']);

/** Runs in the transaction of the move. */
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
        // Before the choice every lender has declined or missed the deadline. Only the lender ends a paid instant loan.
        if (journey.selectedOfferId && !isInstant(journey)) {
          await this.withdrawals.notifyEnded(tx, journey, 'ENDED');
        }
        return journey;
      default:
        return journey;
    }
  }

  private async tellAbandoned(tx: Tx, journey: Journey): Promise<void> {
    if (journey.outcomeReason === 'CONSENT_WITHDRAWN') {
      await this.withdrawals.notifyConsentWithdrawn(tx, journey);
    } else {
      await this.withdrawals.notifyEnded(tx, journey, 'ABANDONED');
    }
  }

  private async askToPayOut(tx: Tx, journey: Journey): Promise<void> {
    const { offer, payload } = await this.payloads.draw(tx, journey);
    if (journey.channel === 'API_HOSTED')
      await this.withdrawals.notifyNotChosen(tx, journey, offer);
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
