import { Injectable } from '@nestjs/common';
import type { CurrentRecord } from '../../audit/index.js';
import {
  type LoanKey,
  type PersonalDataHolder,
  PersonalDataRegistry,
} from '../../erasure/index.js';
import { Columns, Fault, RowArrays, type Tx } from '../../platform/index.js';
import { type PartnerReference, PartnerReferences } from '../partner-reference.js';
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
  | 'referenceSealed'
  | 'isReferenceUnique'
  | 'submittedAt'
> & { readonly clientReferenceId: string | undefined };

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
    'referenceSealed',
    'referenceHash',
    'isReferenceUnique',
    'submittedAt',
  ],
  { more: '(SELECT app_now())' },
);

export interface ChangedLead extends Pick<
  Application,
  'journeyId' | 'loanType' | 'status' | 'statusChanges' | 'updatedAt'
> {
  readonly previousStatus: string;
}

// By journey, because its index alone begins with what is asked: for a small table the planner might read another
// index that merely ends with the lead's id.
const SET_STATUSES = `UPDATE applications AS a
  SET status = l.status, previous_status = a.status,
    updated_at = CASE WHEN a.status = l.status THEN a.updated_at ELSE (SELECT app_now()) END,
    status_changes = a.status_changes + (a.status <> l.status)::integer
  FROM unnest($1::text[], $2::text[], $3::text[]) AS l (journey_id, partner_id, status)
  WHERE a.journey_id = l.journey_id AND a.partner_id IS NOT DISTINCT FROM l.partner_id AND a.journey_id = ANY ($1)
  RETURNING a.journey_id AS "journeyId", a.loan_type AS "loanType", a.status, a.previous_status AS "previousStatus",
    a.status_changes AS "statusChanges", a.updated_at AS "updatedAt"
`;

/** Joins the owner's transaction, so that the list never lags. Triggers update the counts. */
@Injectable()
export class LeadWriter {
  constructor(private readonly references: PartnerReferences) {}

  sealReference(applicationId: string, reference: PartnerReference): string | null {
    return this.references.seal(applicationId, reference);
  }

  /** @throws Fault validation_failed when a reference that may be used once was used before */
  async openAll(tx: Tx, leads: readonly NewLead[]): Promise<void> {
    const rows = leads.map(({ clientReferenceId, ...lead }) => {
      const [referenceHash = null, ...olderHashes] =
        clientReferenceId === undefined ? [] : this.references.hashesOf(clientReferenceId);
      return { ...lead, referenceHash, olderHashes };
    });
    await this.refuseUsed(tx, rows);
    try {
      await tx.execute(
        `INSERT INTO applications (${SET_BY_THE_OWNER.list}, updated_at) ${SET_BY_THE_OWNER.select}`,
        SET_BY_THE_OWNER.values(rows),
      );
    } catch (error) {
      throw isUsedReference(error) ? usedReference(error) : error;
    }
  }

  /** The index sees only the newest master key's hashes. */
  private async refuseUsed(
    tx: Tx,
    leads: readonly {
      partnerId: string;
      isReferenceUnique: boolean;
      olderHashes: readonly string[];
    }[],
  ): Promise<void> {
    const asked = leads
      .filter(({ isReferenceUnique }) => isReferenceUnique)
      .flatMap(({ partnerId, olderHashes }) => olderHashes.map((hash) => [partnerId, hash]));
    if (asked.length === 0) return;
    const used = await tx.query(
      `SELECT 1 FROM applications AS a JOIN unnest($1::text[], $2::text[]) AS o (partner_id, hash)
         ON a.partner_id = o.partner_id AND a.reference_hash = o.hash
       WHERE a.is_reference_unique LIMIT 1`,
      [asked.map(([partnerId]) => partnerId), asked.map(([, hash]) => hash)],
    );
    if (used.length > 0) throw usedReference();
  }

  /**
   * For distinct leads whose journeys the caller has locked.
   * @returns the leads whose status changed
   * @throws Error when the partner has no such lead
   */
  async setStatuses(
    tx: Tx,
    leads: readonly Pick<NewLead, 'journeyId' | 'partnerId' | 'status'>[],
  ): Promise<ChangedLead[]> {
    const found = await tx.query<ChangedLead>(SET_STATUSES, [
      leads.map(({ journeyId }) => journeyId),
      leads.map(({ partnerId }) => partnerId),
      leads.map(({ status }) => status),
    ]);
    const ids = new Set(found.map(({ journeyId }) => journeyId));
    const lost = leads.find(({ journeyId }) => !ids.has(journeyId));
    if (lost) throw missing(`of journey ${lost.journeyId}`, lost);
    return found.filter(({ status, previousStatus }) => status !== previousStatus);
  }

  /** @throws Error when the partner has no such lead */
  async setAmount(
    tx: Tx,
    lead: Pick<NewLead, 'id' | 'partnerId' | 'loanAmount' | 'loanAmountSource'>,
  ): Promise<void> {
    const { id, partnerId, loanAmount, loanAmountSource } = lead;
    const changed = await tx.update(
      Application,
      { id, partnerId },
      { loanAmount, loanAmountSource },
    );
    if (changed !== 1) throw missing(id, lead);
  }
}

@Injectable()
export class LeadPersonalData implements PersonalDataHolder {
  readonly order = 8;
  readonly personalColumns = columns.qualified(['referenceSealed']);

  constructor(registry: PersonalDataRegistry) {
    registry.registerRecords(this);
  }

  /** Keeps the hash, so that the reference cannot be used again. */
  erase(tx: Tx, { id }: LoanKey): Promise<number> {
    return tx.execute(
      `UPDATE applications SET reference_sealed = NULL
       WHERE journey_id = $1 AND reference_sealed IS NOT NULL`,
      [id],
    );
  }
}

function isUsedReference(error: unknown): boolean {
  const { driverError } = error as { driverError?: { constraint?: string } };
  return driverError?.constraint === 'applications_reference_once';
}

function usedReference(cause?: unknown): Fault {
  const message = 'was used before; send another one';
  return new Fault('validation_failed', {
    details: [{ field: 'clientReferenceId', message }],
    cause,
  });
}

function missing(lead: string, { partnerId }: Pick<NewLead, 'partnerId'>): Error {
  return new Error(`there is no lead ${lead} of partner ${partnerId}`);
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
