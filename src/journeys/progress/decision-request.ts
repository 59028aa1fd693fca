import { Injectable } from '@nestjs/common';
import { ConsentLog } from '../../consents/index.js';
import { DECISION } from '../../journey-steps/index.js';
import { LenderReferences, QuestionOutbox } from '../../lenders/index.js';
import type { Tx } from '../../platform/index.js';
import type { Journey } from '../store/journey.entity.js';
import { LenderWithdrawals } from './lender-withdrawals.js';
import { SelectedPayloads } from './selected-payload.js';

/** The step `DECISION`: its question to the chosen lender. */
@Injectable()
export class DecisionRequest {
  constructor(
    private readonly payloads: SelectedPayloads,
    private readonly withdrawals: LenderWithdrawals,
    private readonly consents: ConsentLog,
    private readonly questionOutbox: QuestionOutbox,
    private readonly references: LenderReferences,
  ) {}

  /** In the transaction that enters the step, so that no paid application is forgotten. */
  async ask(tx: Tx, journey: Journey): Promise<void> {
    const { id: subjectId, partnerId, applicationId } = journey;
    const { offer, payload } = await this.payloads.draw(tx, journey);
    const { id: reference, lenderCode } = offer;
    // Until now another lender's offer could be chosen.
    await this.withdrawals.tellNotChosen(tx, journey, offer);
    const attested = await this.consents.attested(tx, partnerId, subjectId);
    if (!attested) throw new Error(`journey ${subjectId} has no consent`);
    await this.questionOutbox.put(tx, {
      partnerId,
      subjectId,
      lenderCode,
      kind: DECISION.question,
      reference,
      payload: { ...payload, consent: attested.told },
    });
    // From now on the lender may send messages about the application.
    const known = { lenderCode, partnerId, subjectId, applicationId, isPayoutTold: false };
    await this.references.note(tx, { ...known, kind: 'APPLICATION', reference: applicationId });
  }
}
