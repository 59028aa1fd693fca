import { Injectable } from '@nestjs/common';
import { BANK_ACCOUNT } from '../../journey-steps/index.js';
import { type AccountVerdict, type BankAccount, LenderGateway } from '../../lenders/index.js';
import { Database, type Fault, type Tx, validationFault } from '../../platform/index.js';
import { ApplicantFiles } from '../progress/applicant-file.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneyMover } from '../progress/journey-mover.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { OffersRepository } from '../store/offers.repository.js';
import type { ActionHandler, PreparedAction } from './action-handler.js';

@Injectable()
export class SubmitBankAccountHandler implements ActionHandler<BankAccount> {
  readonly kind = 'SUBMIT_BANK_ACCOUNT';
  readonly state = 'BANK_ACCOUNT_PENDING';

  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly offers: OffersRepository,
    private readonly gateway: LenderGateway,
    private readonly applicants: ApplicantFiles,
    private readonly mover: JourneyMover,
  ) {}

  async prepare(journey: Journey, account: BankAccount): Promise<PreparedAction> {
    const offer = await this.database.transaction((tx) => this.offers.selected(tx, journey));
    return {
      lenderCode: offer.lenderCode,
      call: async () => {
        const verdict = await this.gateway.verifyAccount({
          idempotencyKey: this.questionAbout(journey, account),
          subjectId: journey.id,
          lenderCode: offer.lenderCode,
          account,
          payload: this.applicants.payload(journey, { offerReference: offer.lenderReference }),
        });
        return { record: (tx, current) => this.record(tx, current, account, verdict) };
      },
    };
  }

  /**
   * The same id for the same account until the lender refuses it: on a retry, a slow lender may know the result.
   */
  private questionAbout({ stepFailures }: Journey, account: BankAccount): string {
    return `${stepFailures}:${this.applicants.accountMark(account)}`;
  }

  private async record(
    tx: Tx,
    journey: Journey,
    account: BankAccount,
    verdict: AccountVerdict,
  ): Promise<Fault | null> {
    if (verdict.kind === 'ACCEPTED') {
      await this.mover.move(tx, journey, 'ACCOUNT_ACCEPTED', {
        bankAccountSealed: this.applicants.sealAccount(journey, account),
      });
      return null;
    }
    const failures = journey.stepFailures + 1;
    if (verdict.kind === 'REFUSED_FOR_GOOD' || failures >= BANK_ACCOUNT.maxTries) {
      await this.mover.move(tx, journey, 'ACCOUNT_REFUSED');
      return null;
    }
    await this.journeys.change(tx, journey, journey.state, { stepFailures: failures });
    return validationFault([
      {
        field: 'payload.accNo',
        message: 'must be an account that the bank accepts payments to; check it and try again',
      },
    ]);
  }
}
