import { Injectable } from '@nestjs/common';
import { Tx } from '../platform/index.js';
import type { Journey } from './journey.js';
import type { JourneyState } from './states/journey-state.js';
import type { Trigger } from './states/transition-table.js';

/** The append-only record of what came to pass in a journey; it never holds personal data. */
@Injectable()
export class JourneyAudit {
  async record(
    tx: Tx,
    journey: Journey,
    trigger: Trigger | 'STARTED' | 'APPLICANT_ERASED',
    from: JourneyState | null,
  ): Promise<void> {
    const detail = {
      offerRound: journey.offerRound,
      selectedOfferId: journey.selectedOfferId,
      selectedBranchId: journey.selectedBranchId,
      outcomeReason: journey.outcomeReason,
    };
    await tx.execute(
      `INSERT INTO journey_audit (partner_id, journey_id, trigger, from_state, to_state, detail,
         created_at)
       VALUES ($1, $2, $3, $4, $5, $6, app_now())`,
      [journey.partnerId, journey.id, trigger, from, journey.state, JSON.stringify(detail)],
    );
  }
}
