import { Injectable } from '@nestjs/common';
import { Tx } from '../platform/index.js';
import type { Journey } from './journey.js';
import type { JourneyState } from './states/journey-state.js';
import type { Trigger } from './states/transition-table.js';

/** The append-only record of what came to pass in a journey; it never holds personal data. */
@Injectable()
export class JourneyAudit {
  record(
    tx: Tx,
    journey: Journey,
    trigger: 'CONSENTED' | 'CONFIRMED' | 'APPLICANT_ERASED',
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
    return this.write(tx, journeys, 'STARTED', null);
  }

  private async write(
    tx: Tx,
    journeys: readonly Journey[],
    trigger: string,
    from: JourneyState | null,
  ): Promise<void> {
    const rows = journeys.map((journey) => ({
      partner_id: journey.partnerId,
      journey_id: journey.id,
      to_state: journey.state,
      detail: {
        offerRound: journey.offerRound,
        selectedOfferId: journey.selectedOfferId,
        selectedBranchId: journey.selectedBranchId,
        outcomeReason: journey.outcomeReason,
      },
    }));
    await tx.execute(
      `INSERT INTO journey_audit (partner_id, journey_id, trigger, from_state, to_state, detail,
         created_at)
       SELECT partner_id, journey_id, $2, $3, to_state, detail, app_now()
       FROM jsonb_populate_recordset(NULL::journey_audit, $1)`,
      [JSON.stringify(rows), trigger, from],
    );
  }
}
