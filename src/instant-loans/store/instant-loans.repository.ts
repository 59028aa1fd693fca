import { Injectable } from '@nestjs/common';
import { Columns, Database, Tx } from '../../platform/index.js';
import { InstantLoan } from './instant-loan.entity.js';

const columns = new Columns(InstantLoan);

type NewInstantLoan = Pick<InstantLoan, 'id' | 'partnerId' | 'journeyId' | 'smsId'>;

interface SmsState extends Pick<InstantLoan, 'isSmsSent' | 'smsId'> {
  readonly mayBeInFlight: boolean;
}

@Injectable()
export class InstantLoansRepository {
  constructor(private readonly database: Database) {}

  async insert(tx: Tx, loan: NewInstantLoan): Promise<void> {
    await tx.repository(InstantLoan).insert(loan);
  }

  /** Link tokens are the proof, so no partner is needed. */
  async findByLink(id: string): Promise<InstantLoan | null> {
    return this.database.with(InstantLoan, (loans) => loans.findOneBy({ id }));
  }

  smsState(id: string, inFlightSeconds: number): Promise<SmsState | null> {
    return this.database.first(
      `SELECT ${columns.selected(['isSmsSent', 'smsId'])},
         created_at > app_now() - $2 * interval '1 second' AS "mayBeInFlight"
       FROM instant_loans WHERE id = $1`,
      [id, inFlightSeconds],
    );
  }

  /**
   * The first call decides.
   * @returns the decided value
   */
  async settleSms(id: string, isSent: boolean): Promise<boolean> {
    return (
      (await this.database.value<boolean>(
        `UPDATE instant_loans SET is_sms_sent = coalesce(is_sms_sent, $2) WHERE id = $1
       RETURNING is_sms_sent AS "isSmsSent"`,
        [id, isSent],
      )) ?? isSent
    );
  }
}

export const INSTANT_LOAN_ENTITIES = [InstantLoan];
