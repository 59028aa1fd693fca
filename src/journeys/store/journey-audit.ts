import { Injectable } from '@nestjs/common';
import type { OutgoingEvent } from '../../webhooks/index.js';
import { Columns, RowArrays, sha256, Tx } from '../../platform/index.js';
import { isInstant } from '../domain/journey.js';
import { leadStatusOf } from '../domain/lead-status.js';
import type { JourneyState } from '../domain/journey-state.js';
import { type Journey, JourneyAuditRow } from './journey.entity.js';

const columns = new Columns(JourneyAuditRow);

const RECORDED = new RowArrays(
  columns,
  ['partnerId', 'journeyId', 'trigger', 'fromState', 'toState', 'detail'],
  { more: '(SELECT app_now())' },
);

type NotedTrigger =
  | 'AMOUNT_NAMED'
  | 'CONSENTED'
  | 'CONFIRMED'
  | 'KEY_FACTS_ACKNOWLEDGED'
  | 'OFFER_REVISED'
  | 'FEE_ASKED'
  | 'FEE_ORDERED'
  | 'FEE_ORDERED_AGAIN'
  | 'FEE_TAKEN'
  | 'FEE_TRY_FAILED'
  | 'FEE_RETURNED'
  | 'FEE_KEPT'
  | 'FEE_WAIVED'
  | 'REFUND_TOLD'
  | 'APPLICANT_ERASED';

interface RecordedMove {
  readonly journey: Journey;
  readonly trigger: string;
  readonly from: JourneyState | null;
  readonly event?: OutgoingEvent;
  /** No personal data. */
  readonly facts?: object;
}

/** Append-only; no personal data. */
@Injectable()
export class JourneyAudit {
  /** For a change within a state. */
  record(tx: Tx, journey: Journey, trigger: NotedTrigger, facts: object = {}): Promise<void> {
    return this.recordMoves(tx, [{ journey, trigger, from: journey.state, facts }]);
  }

  list(tx: Tx, { id: journeyId, partnerId }: Journey): Promise<JourneyAuditRow[]> {
    return tx
      .repository(JourneyAuditRow)
      .find({ where: { journeyId, partnerId }, order: { id: 'ASC' } });
  }

  async recordMoves(tx: Tx, moves: readonly RecordedMove[]): Promise<void> {
    if (moves.length === 0) return;
    const rows = moves.map(({ journey, trigger, from, event, facts }) => ({
      partnerId: journey.partnerId,
      journeyId: journey.id,
      trigger,
      fromState: from,
      toState: journey.state,
      detail: {
        applicationId: journey.applicationId,
        offerRound: journey.offerRound,
        selectedOfferId: journey.selectedOfferId,
        selectedBranchId: journey.selectedBranchId,
        outcomeReason: journey.outcomeReason,
        loanAmount: journey.loanAmount,
        ...(from !== journey.state && isInstant(journey) && { leadStatus: leadStatusOf(journey) }),
        ...(event && { eventId: event.id, eventHash: sha256(event.body) }),
        ...facts,
        ...(trigger === 'OFFER_SELECTED' && chosen(journey)),
        ...(trigger === 'PAID_OUT' && paidOut(journey)),
      },
    }));
    // Every transaction with several loans locks their audit chains in this order.
    await tx.execute(
      `INSERT INTO journey_audit (${RECORDED.list}, created_at) ${RECORDED.select} ORDER BY journey_id`,
      RECORDED.values(rows),
    );
  }
}

/** The Key Facts Statement has the other figures. */
function chosen({ selection }: Journey): object {
  if (!selection) return {};
  const { loanAmount, apr, tenureMonths } = selection;
  return { chosen: { loanAmount, apr, tenureMonths } };
}

function paidOut({ payout }: Journey): object {
  if (!payout) return {};
  const { amount, transferReference } = payout;
  return { payout: { amount, transferReference } };
}
