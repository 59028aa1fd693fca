import type { Case } from '../case.ts';
import { ANSWER_SIGNATURES } from './answer-signatures.ts';
import { CALLBACKS, PENDING } from './callbacks.ts';
import { QUOTES, SELECTIONS } from './choice.ts';
import { ELIGIBILITIES } from './eligibilities.ts';
import { EXITS, LOANS, WITHDRAWALS } from './endings.ts';
import { IDEMPOTENCY } from './idempotency.ts';
import { INSTANT_LOANS } from './instant-loans.ts';
import { OFFERS } from './offers.ts';
import { ACCOUNTS, DISBURSEMENTS } from './payout.ts';
import { RESTARTS } from './restarts.ts';
import { REQUEST_SIGNATURES } from './request-signatures.ts';
import { SESSIONS_AND_STEPS } from './steps.ts';
import { TRANSPORT } from './transport.ts';

/** In the order of their numbers. */
export const CASES: readonly Case[] = [
  ...TRANSPORT,
  ...ANSWER_SIGNATURES,
  ...REQUEST_SIGNATURES,
  ...IDEMPOTENCY,
  ...OFFERS,
  ...QUOTES,
  ...SELECTIONS,
  ...SESSIONS_AND_STEPS,
  ...ACCOUNTS,
  ...DISBURSEMENTS,
  ...INSTANT_LOANS,
  ...WITHDRAWALS,
  ...EXITS,
  ...LOANS,
  ...PENDING,
  ...CALLBACKS,
  ...RESTARTS,
  ...ELIGIBILITIES,
];
