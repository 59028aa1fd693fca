import { Injectable } from '@nestjs/common';
import type { Paise } from '../loans/index.js';
import type { Tx } from '../platform/index.js';

/** What a lead starts with. */
export interface NewLead {
  readonly id: string;
  readonly partnerId: string;
  /** The product's code. */
  readonly loanType: string;
  readonly loanAmount: Paise;
  readonly status: string;
  /** Left out for an application that is no journey. */
  readonly journeyId?: string;
  readonly submittedAt: Date;
}

/**
 * Where the owners of applications (journeys, instant loans) enter them, in the transaction that
 * changes their own record, so that the list of leads never lags behind. Its counts follow by
 * triggers of the table.
 */
@Injectable()
export class LeadBook {
  open(tx: Tx, lead: NewLead): Promise<void> {
    return this.openAll(tx, [lead]);
  }

  async openAll(tx: Tx, leads: readonly NewLead[]): Promise<void> {
    const rows = leads.map((lead) => ({
      id: lead.id,
      partner_id: lead.partnerId,
      loan_type: lead.loanType,
      loan_amount: lead.loanAmount,
      status: lead.status,
      journey_id: lead.journeyId,
      submitted_at: lead.submittedAt,
    }));
    await tx.execute(
      `INSERT INTO applications
         (id, partner_id, loan_type, loan_amount, status, journey_id, submitted_at, updated_at)
       SELECT id, partner_id, loan_type, loan_amount, status, journey_id, submitted_at, app_now()
       FROM jsonb_populate_recordset(NULL::applications, $1)`,
      [JSON.stringify(rows)],
    );
  }

  /** @throws Error when the partner has no such lead: its owner would have lost it */
  setStatus(tx: Tx, partnerId: string, id: string, status: string): Promise<void> {
    return this.setStatuses(tx, [{ partnerId, id, status }]);
  }

  /** The same for several leads, each of them once. */
  async setStatuses(
    tx: Tx,
    leads: readonly Pick<NewLead, 'id' | 'partnerId' | 'status'>[],
  ): Promise<void> {
    const changed = await tx.query<{ id: string }>(
      `UPDATE applications AS a SET status = l.status, updated_at = app_now()
       FROM unnest($1::text[], $2::text[], $3::text[]) AS l (id, partner_id, status)
       WHERE a.id = l.id AND a.partner_id = l.partner_id RETURNING a.id`,
      [
        leads.map(({ id }) => id),
        leads.map(({ partnerId }) => partnerId),
        leads.map(({ status }) => status),
      ],
    );
    const found = new Set(changed.map(({ id }) => id));
    const lost = leads.find(({ id }) => !found.has(id));
    if (lost) throw new Error(`there is no lead ${lost.id} of partner ${lost.partnerId}`);
  }
}
