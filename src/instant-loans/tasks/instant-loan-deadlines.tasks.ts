import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { PaymentDesk } from '../../payments/index.js';
import { Database, logFailure, OperatorFlags, type Tx } from '../../platform/index.js';
import { InstantLoanAudit } from '../instant-loan-audit.js';
import type { InstantLoan } from '../instant-loan.js';
import { InstantLoansRepository } from '../instant-loans.repository.js';

const EVERY_MS = 5_000;
const MOST_A_PASS = 500;

type Due = Pick<InstantLoan, 'id' | 'partnerId'>;
type Look = (tx: Tx, loan: InstantLoan) => Promise<void>;

/**
 * Looks at applications whose time has come: those unpaid after 72 hours, and those that their
 * lender leaves without a decision. Each is claimed by its row lock and marked, so any number of
 * replicas may look at once.
 */
@Injectable()
export class InstantLoanDeadlinesTasks {
  private readonly logger = new Logger(InstantLoanDeadlinesTasks.name);
  private isRunning = false;

  constructor(
    private readonly database: Database,
    private readonly loans: InstantLoansRepository,
    private readonly payments: PaymentDesk,
    private readonly audit: InstantLoanAudit,
    private readonly flags: OperatorFlags,
  ) {}

  @Interval('instant-loan-deadlines', EVERY_MS)
  async run(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    try {
      await this.runAll(UNPAID, (tx, loan) => this.callOff(tx, loan));
      await this.runAll(UNDECIDED, (tx, loan) => this.tellOfSilence(tx, loan));
    } catch (error) {
      logFailure(this.logger, error);
    } finally {
      this.isRunning = false;
    }
  }

  private async runAll(due: string, look: Look): Promise<void> {
    const passedOver: string[] = [];
    for (let done = 0; done < MOST_A_PASS; done += 1) {
      if (!(await this.runNext(due, look, passedOver))) return;
    }
  }

  /** One that fails must not hold up the others: it is passed over until the next pass. */
  private async runNext(due: string, look: Look, passedOver: string[]): Promise<boolean> {
    let claimed: Due | undefined;
    try {
      await this.database.transaction(async (tx) => {
        [claimed] = await tx.query<Due>(due, [passedOver]);
        const loan = claimed && (await this.loans.lock(tx, claimed.partnerId, claimed.id));
        if (loan) await look(tx, loan);
      });
    } catch (error) {
      if (!claimed) throw error;
      logFailure(this.logger, error, { applicationId: claimed.id });
      passedOver.push(claimed.id);
    }
    return claimed !== undefined;
  }

  /**
   * Has the payment page closed. The gateway is asked first: a payment in the last moment wins, and
   * the application expires when the notice comes that the page is closed and unpaid.
   */
  private async callOff(tx: Tx, { id, paymentOrderId }: InstantLoan): Promise<void> {
    await this.payments.cancel(tx, paymentOrderId);
    await tx.execute('UPDATE instant_loans SET called_off_at = app_now() WHERE id = $1', [id]);
  }

  /** The fee is taken and the lender says nothing: it is asked on, and a person looks at it. */
  private async tellOfSilence(tx: Tx, loan: InstantLoan): Promise<void> {
    const { id, partnerId, lenderCode } = loan;
    const detail = { lenders: [lenderCode], kind: 'DECISION' };
    await this.flags.raise(tx, { partnerId, subjectId: id, kind: 'LENDER_SILENT', detail });
    await this.audit.record(tx, loan, 'LENDER_SILENT', loan.status, { lenderCode });
    await tx.execute('UPDATE instant_loans SET decision_due_at = NULL WHERE id = $1', [id]);
  }
}

const UNPAID = `
  SELECT id, partner_id AS "partnerId" FROM instant_loans
  WHERE status IN ('PAYMENT_PENDING', 'PAYMENT_FAILED') AND called_off_at IS NULL
    AND expires_at <= app_now() AND id <> ALL ($1::text[])
  ORDER BY expires_at LIMIT 1 FOR UPDATE SKIP LOCKED
`;

const UNDECIDED = `
  SELECT id, partner_id AS "partnerId" FROM instant_loans
  WHERE decision_due_at <= app_now() AND id <> ALL ($1::text[])
  ORDER BY decision_due_at LIMIT 1 FOR UPDATE SKIP LOCKED
`;
