import { Transform } from 'class-transformer';
import { IsObject } from 'class-validator';
import type { BankAccount } from '../../lenders/index.js';
import {
  checkBody,
  ChoiceField,
  NameField,
  PatternField,
  RupeesField,
  TextField,
  validationFault,
} from '../../platform/index.js';
import { ACTION_KINDS, type ActionKind } from '../../journey-steps/index.js';
import type { BranchIntent } from './select-branch.handler.js';
import type { OfferIntent } from './select-offer.handler.js';

export class ActionBody {
  @ChoiceField(ACTION_KINDS)
  kind: ActionKind;

  @IsObject({ message: 'must be an object' })
  payload: object;
}

export class SelectOfferPayload {
  @TextField({
    about: 'One of the journey’s offers.',
    example: 'off_01a1fcf153ae76b2be3e2ab68ffc4d07',
  })
  offerId: string;

  @RupeesField({
    optional: true,
    about: 'In rupees, from the offer’s minimumLoanAmount to its principalAmount, the default.',
    example: 150_000,
  })
  loanAmount?: number;
}

export class SelectBranchPayload {
  @TextField({
    optional: true,
    about: 'If given, it must be the selected offer’s.',
    example: 'off_01a1fcf153ae76b2be3e2ab68ffc4d07',
  })
  offerId?: string;

  @TextField({
    about: 'The id of one of the selected offer’s branchLocations.',
    example: 'brn_01a1fcf153ad7174853dd701385fe9c0',
  })
  branchLocationId: string;
}

const ACCOUNT_TYPES: Record<string, BankAccount['acctype']> = {
  SAVINGS: 'SAVINGS',
  SAVING: 'SAVINGS',
  SB: 'SAVINGS',
  CURRENT: 'CURRENT',
  CA: 'CURRENT',
};

export class BankAccountPayload {
  @NameField({ about: 'Exactly as the bank has it.', example: 'Asha Verma' })
  accHolderName: string;

  @Transform(({ value }: { value: unknown }) => {
    const word = upper(value);
    return typeof word === 'string' && Object.hasOwn(ACCOUNT_TYPES, word)
      ? ACCOUNT_TYPES[word]
      : word;
  })
  @ChoiceField(['SAVINGS', 'CURRENT'], {
    about: 'Case-insensitive; SAVING, SB and CA are accepted.',
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
    { about: 'The branch’s IFSC; lower case is accepted.', example: 'HDFC0001234' },
  )
  ifscCode: string;
}

export const ACTION_PAYLOADS: Readonly<Record<ActionKind, ActionPayload>> = {
  SELECT_OFFER: actionPayload(SelectOfferPayload, ({ offerId, loanAmount }): OfferIntent => ({
    offerId,
    loanAmount,
  })),
  SELECT_GOLD_LOAN_BRANCH: actionPayload(
    SelectBranchPayload,
    ({ offerId, branchLocationId }): BranchIntent => ({ offerId, branchLocationId }),
  ),
  SUBMIT_BANK_ACCOUNT: actionPayload(
    BankAccountPayload,
    ({ accHolderName, acctype, accNo, ifscCode }): BankAccount => ({
      accHolderName,
      acctype,
      accNo,
      ifscCode,
    }),
  ),
};

interface ActionPayload {
  readonly shape: new () => object;
  readonly read: (sent: object) => object;
}

function actionPayload<Payload extends object>(
  shape: new () => Payload,
  intentOf: (payload: Payload) => object,
): ActionPayload {
  const read = (sent: object) => {
    const { value, problems } = checkBody(shape, sent);
    if (problems.length === 0) return intentOf(value);
    throw validationFault(
      problems.map(({ field, message }) => ({ field: `payload.${field}`, message })),
    );
  };
  return { shape, read };
}

/**
 * @returns the intent
 * @throws Fault validation_failed, with dotted field paths from the body's root
 */
export function readAction({ kind, payload }: ActionBody): object {
  return ACTION_PAYLOADS[kind].read(payload);
}

function upper(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().toUpperCase() : value;
}
