import { Injectable, Logger } from '@nestjs/common';
import { OperatorFlags } from '../../operator-flags/index.js';
import { PaymentOrders } from '../../payments/index.js';
import {
  Database,
  DueTimes,
  logFailure,
  ScheduledTask,
  takeInTurn,
  type Tx,
} from '../../platform/index.js';
import { InstantLoanMover } from '../progress/instant-loan-mover.js';
import { NextOffer } from '../offers/next-offer.js';
import { InstantLoanAudit } from '../store/instant-loan-audit.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
import {
  INSTANT_LOAN_TIMES,
  InstantLoansRepository,
  type OwnedLoan,
} from '../store/instant-loans.repository.js';

const EVERY_MS = 5_000;
const MAX_PER_PASS = 500;

type Claim = (tx: Tx, passedOver: readonly string[]) => Promise<OwnedLoan | null>;
type Look = (tx: Tx, loan: InstantLoan) => Promise<void>;

/**
 * Ends unpaid applications whose offer or 72 hours are over, and flags missing decisions. Each is
 * claimed by its row lock, on any number of replicas.
 */
@Injectable()
export class InstantLoanDeadlinesTasks {
  private readonly logger = new Logger(InstantLoanDeadlinesTasks.name);

  constructor(
    private readonly database: Database,
    private readonly loans: InstantLoansRepository,
    private readonly mover: InstantLoanMover,
    private readonly payments: PaymentOrders,
    private readonly nextOffer: NextOffer,
    private readonly audit: InstantLoanAudit,
    private readonly flags: OperatorFlags,
    times: DueTimes,
  ) {
    times.watch({ times: INSTANT_LOAN_TIMES, run: () => this.run() });
  }

  @ScheduledTask('instant-loan-deadlines', EVERY_MS)
  async run(): Promise<void> {
    await this.takeAll(
      (tx, passedOver) => this.loans.claimUnpaid(tx, passedOver),
      (tx, loan) => this.callOff(tx, loan),
    );
    await this.takeAll(
      (tx, passedOver) => this.loans.claimUndecided(tx, passedOver),
      (tx, loan) => this.tellOfSilence(tx, loan),
    );
  }

  private takeAll(claim: Claim, look: Look): Promise<void> {
    return takeInTurn(this.database, {
      max: MAX_PER_PASS,
      claim,
      work: async (tx, { partnerId, id }) => {
        const loan = await this.loans.lock(tx, partnerId, id);
        if (loan) await look(tx, loan);
      },
      onFailure: (error, { id }) => logFailure(this.logger, error, { applicationId: id }),
    });
  }

  /**
   * The gateway is asked first: a last-moment payment wins, and the application expires on the
   * notice that the page is closed unpaid. Without a page nothing can have been paid, and the next
   * offer takes its turn.
   */
  private async callOff(tx: Tx, loan: InstantLoan): Promise<void> {
    const { id, paymentOrderId } = loan;
    if (paymentOrderId === null) {
      if (await this.nextOffer.take(tx, loan)) return;
      await this.mover.move(tx, loan, 'TIME_RAN_OUT');
      return;
    }
    await this.payments.cancel(tx, paymentOrderId);
    await this.loans.callOff(tx, id);
  }

  /** The lender is still asked; the operator is notified. */
  private async tellOfSilence(tx: Tx, loan: InstantLoan): Promise<void> {
    const { id, partnerId, lenderCode } = loan;
    const detail = { lenders: [lenderCode], kind: 'DECISION' };
    await this.flags.raise(tx, {
      partnerId,
      subjectId: id,
      kind: 'LENDER_SILENT',
      cause: ['DECISION'],
      detail,
    });
    await this.audit.record(tx, loan, 'LENDER_SILENT', loan.status, { lenderCode });
    await this.loans.awaitNoDecision(tx, id);
  }
}
