export const ACTION_KINDS = [
  'SELECT_OFFER',
  'SELECT_GOLD_LOAN_BRANCH',
  'SUBMIT_BANK_ACCOUNT',
] as const;

export type ActionKind = (typeof ACTION_KINDS)[number];
