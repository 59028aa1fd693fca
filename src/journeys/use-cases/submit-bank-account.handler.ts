import { Injectable } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { BANK_ACCOUNT } from '../../journey-steps/index.js';
import { type AccountVerdict, type BankAccount, LenderGateway } from '../../lenders/index.js';
import {
  ChoiceField,
  Database,
  type Fault,
  NameField,
  PatternField,
  type Tx,
  validationFault,
} from '../../platform/index.js';
import { ApplicantFiles } from '../domain/applicant-file.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneyMover } from '../domain/journey-mover.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { OffersRepository } from '../store/offers.repository.js';
import type { ActionHandler, PreparedAction } from './action-handler.js';

const ACCOUNT_TYPES: Record<string, BankAccount['acctype']> = {
  SAVINGS: 'SAVINGS',
  SAVING: 'SAVINGS',
  SB: 'SAVINGS',
  CURRENT: 'CURRENT',
  CA: 'CURRENT',
};

function upper(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().toUpperCase() : value;
}

export class BankAccountPayload implements BankAccount {
  @NameField({ about: 'As the bank has it.', example: 'Asha Verma' })
  accHolderName: string;

  @Transform(({ value }: { value: unknown }) => {
    const word = upper(value);
    return typeof word === 'string' && Object.hasOwn(ACCOUNT_TYPES, word)
      ? ACCOUNT_TYPES[word]
      : word;
  })
  @ChoiceField(['SAVINGS', 'CURRENT'], {
    about: 'In any case; SAVING, SB and CA are understood.',
    example: 'SAVINGS',
  })
  acctype: BankAccount['acctype'];

  @PatternField(/^\d{9,18}$/, 'must be an account number of 9 to 18 digits', {
    about: 'The account number, as text.',
    example: '123456789012',
  })
  accNo: string;

  @Transform(({ value }: { value: unknown }) => upper(value))
  @PatternField(
    /^[A-Z]{4}0[A-Z0-9]{6}$/,
    'must be an IFSC: four letters, a zero, then six letters or digits',
    { about: 'The branch’s IFSC; lower case is understood.', example: 'HDFC0001234' },
  )
  ifscCode: string;
}

/** Takes the account for the payout, once the lender has accepted it. */
@Injectable()
export class SubmitBankAccountHandler implements ActionHandler<BankAccountPayload> {
  readonly kind = 'SUBMIT_BANK_ACCOUNT';
  readonly state = 'BANK_ACCOUNT_PENDING';
  readonly shape = BankAccountPayload;

  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly offers: OffersRepository,
    private readonly gateway: LenderGateway,
    private readonly applicants: ApplicantFiles,
    private readonly mover: JourneyMover,
  ) {}

  async prepare(journey: Journey, account: BankAccountPayload): Promise<PreparedAction> {
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
   * The same id for the same account until it is refused: a slow lender may know the result when the account
   * is sent again.
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
