import type { BrokenLender } from './broken-lender.ts';
import { CALLBACKS } from './callbacks.ts';
import { CHOICE } from './choice.ts';
import { ENDINGS } from './endings.ts';
import { OFFERS } from './offers.ts';
import { RESTARTS } from './restarts.ts';
import { ANSWER_SIGNATURES, REQUEST_SIGNATURES } from './signatures.ts';
import { STEPS } from './steps.ts';
import { MEMORY, TRANSPORT } from './transport.ts';

export const BROKEN_LENDERS: readonly BrokenLender[] = [
  ...ANSWER_SIGNATURES,
  ...REQUEST_SIGNATURES,
  ...TRANSPORT,
  ...MEMORY,
  ...OFFERS,
  ...CHOICE,
  ...STEPS,
  ...ENDINGS,
  ...CALLBACKS,
  ...RESTARTS,
];
