import { Injectable } from '@nestjs/common';
import { Columns, Tx } from '../../platform/index.js';
import type { JourneyState } from '../domain/journey-state.js';
import { START, type Trigger } from '../domain/transition-table.js';
import { JourneyAuditRow } from './journey-audit.entity.js';
import type { Journey } from './journey.entity.js';

const columns = new Columns(JourneyAuditRow);

const RECORDED = columns.list([
  'partnerId',
  'journeyId',
  'trigger',
  'fromState',
  'toState',
  'detail',
]);

/** The append-only record of what happened in a journey; it never holds personal data. */
@Injectable()
export class JourneyAudit {
  record(
    tx: Tx,
    journey: Journey,
    trigger: 'CONSENTED' | 'CONFIRMED' | 'KEY_FACTS_ACKNOWLEDGED' | 'APPLICANT_ERASED',
    from: JourneyState,
  ): Promise<void> {
    return this.write(tx, [journey], trigger, from);
  }

  recordMoves(
    tx: Tx,
    journeys: readonly Journey[],
    trigger: Trigger,
    from: JourneyState,
  ): Promise<void> {
    return this.write(tx, journeys, trigger, from);
  }

  recordStarts(tx: Tx, journeys: readonly Journey[]): Promise<void> {
    return this.write(tx, journeys, START.trigger, null);
  }

  /** Oldest first. */
  list(tx: Tx, { id: journeyId, partnerId }: Journey): Promise<JourneyAuditRow[]> {
    return tx
      .repository(JourneyAuditRow)
      .find({ where: { journeyId, partnerId }, order: { id: 'ASC' } });
  }

  private async write(
    tx: Tx,
    journeys: readonly Journey[],
    trigger: string,
    from: JourneyState | null,
  ): Promise<void> {
    const rows = journeys.map((journey) =>
      columns.toRecord({
        partnerId: journey.partnerId,
        journeyId: journey.id,
        trigger,
        fromState: from,
        toState: journey.state,
        detail: {
          offerRound: journey.offerRound,
          selectedOfferId: journey.selectedOfferId,
          selectedBranchId: journey.selectedBranchId,
          outcomeReason: journey.outcomeReason,
        },
      }),
    );
    // In one order, as everything that writes of several loans: their chains are locked in it.
    await tx.execute(
      `INSERT INTO journey_audit (${RECORDED})
       SELECT ${RECORDED} FROM jsonb_populate_recordset(NULL::journey_audit, $1)
       ORDER BY journey_id`,
      [JSON.stringify(rows)],
    );
  }
}
