import { Injectable } from '@nestjs/common';
import type { CurrentRecord } from '../../audit/index.js';
import { Columns, RowArrays, type Tx } from '../../platform/index.js';
import { Application } from './application.entity.js';

const columns = new Columns(Application);

type NewLead = Pick<
  Application,
  | 'id'
  | 'partnerId'
  | 'loanType'
  | 'loanAmount'
  | 'loanAmountSource'
  | 'status'
  | 'journeyId'
  | 'submittedAt'
>;

const SET_BY_THE_OWNER = new RowArrays(
  columns,
  [
    'id',
    'partnerId',
    'loanType',
    'loanAmount',
    'loanAmountSource',
    'status',
    'journeyId',
    'submittedAt',
  ],
  { more: '(SELECT app_now())' },
);

/** Joins the owner's transaction, so that the list never lags. Triggers update the counts. */
@Injectable()
export class LeadWriter {
  async openAll(tx: Tx, leads: readonly NewLead[]): Promise<void> {
    await tx.execute(
      `INSERT INTO applications (${SET_BY_THE_OWNER.list}, updated_at) ${SET_BY_THE_OWNER.select}`,
      SET_BY_THE_OWNER.values(leads),
    );
  }

  /** @throws Error when the partner has no such lead */
  setStatus(tx: Tx, partnerId: string, id: string, status: string): Promise<void> {
    return this.setStatuses(tx, [{ partnerId, id, status }]);
  }

  /** For distinct leads. */
  async setStatuses(
    tx: Tx,
    leads: readonly Pick<NewLead, 'id' | 'partnerId' | 'status'>[],
  ): Promise<void> {
    // Worded so that the planner avoids the index on partner and id.
    const changed = await tx.query<{ id: string }>(
      `UPDATE applications AS a SET status = l.status, updated_at = (SELECT app_now())
       FROM unnest($1::text[], $2::text[], $3::text[]) AS l (id, partner_id, status)
       WHERE a.id = l.id AND a.partner_id IS NOT DISTINCT FROM l.partner_id AND a.id = ANY ($1)
       RETURNING a.id`,
      [
        leads.map(({ id }) => id),
        leads.map(({ partnerId }) => partnerId),
        leads.map(({ status }) => status),
      ],
    );
    const found = new Set(changed.map(({ id }) => id));
    const lost = leads.find(({ id }) => !found.has(id));
    if (lost) throw missing(lost);
  }

  /** @throws Error when the partner has no such lead */
  async setAmount(
    tx: Tx,
    lead: Pick<NewLead, 'id' | 'partnerId' | 'loanAmount' | 'loanAmountSource'>,
  ): Promise<void> {
    const { id, partnerId, loanAmount, loanAmountSource } = lead;
    const { affected } = await tx
      .repository(Application)
      .update({ id, partnerId }, { loanAmount, loanAmountSource, updatedAt: () => 'app_now()' });
    if (affected !== 1) throw missing(lead);
  }
}

function missing({ id, partnerId }: Pick<NewLead, 'id' | 'partnerId'>): Error {
  return new Error(`there is no lead ${id} of partner ${partnerId}`);
}

export function leadRecord(determinedBy: CurrentRecord['determinedBy']): CurrentRecord {
  return {
    table: 'applications',
    subject: ['journey_id'],
    key: 'id',
    values: { status: 'r.status', loan_amount: 'r.loan_amount' },
    determinedBy,
  };
}
