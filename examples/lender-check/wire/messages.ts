import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

const DOCUMENT = new URL('../../../docs/lenders/openapi.json', import.meta.url);

/** The questions by name: the path below the lender's address, and the verdict's schema. */
export const QUESTIONS = {
  OFFERS: { path: '/offers', schema: 'OffersVerdict' },
  QUOTES: { path: '/quotes', schema: 'QuotesVerdict' },
  SELECTIONS: { path: '/selections', schema: 'SelectionsVerdict' },
  SESSIONS: { path: '/sessions', schema: 'SessionsVerdict' },
  STEPS: { path: '/steps', schema: 'StepsVerdict' },
  ACCOUNTS: { path: '/accounts', schema: 'AccountsVerdict' },
  DISBURSEMENTS: { path: '/disbursements', schema: 'DisbursementsVerdict' },
  DECISIONS: { path: '/decisions', schema: 'DecisionsVerdict' },
  WITHDRAWALS: { path: '/withdrawals', schema: 'WithdrawalsVerdict' },
  ELIGIBILITIES: { path: '/eligibilities', schema: 'EligibilitiesVerdict' },
  COOLING_OFF_EXITS: { path: '/cooling-off-exits', schema: 'CoolingOffExitsVerdict' },
} as const;

export type QuestionName = keyof typeof QUESTIONS;

export const CALLBACK_SCHEMAS: Readonly<Record<string, string>> = {
  answers: 'AnswersBody',
  'offer-revisions': 'OfferRevisionsBody',
  'loan-events': 'LoanEventsBody',
  statements: 'StatementsBody',
};

/** Validates messages against the protocol's document. */
export class Messages {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: false });
  readonly #schemas = new Map<string, ValidateFunction>();

  constructor() {
    const document = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as { components: object };
    formats.default(this.#ajv);
    const { components } = withOpenWords(document) as { components: object };
    this.#ajv.addSchema({ $id: 'rlp', components });
  }

  /** The first problem of a message; null without one. */
  problem(schema: string, message: unknown): string | null {
    const validate = this.#schema(schema);
    if (validate(message)) return null;
    const [error] = (validate.errors ?? []).toReversed();
    const place = error?.instancePath || 'the body';
    return `${schema}: ${place} ${error?.message ?? 'does not validate'}`;
  }

  #schema(name: string): ValidateFunction {
    const known = this.#schemas.get(name);
    if (known) return known;
    const compiled = this.#ajv.compile({ $ref: `rlp#/components/schemas/${name}` });
    this.#schemas.set(name, compiled);
    return compiled;
  }
}

/** In a list with OTHER, an unlisted word is read as OTHER and is valid. */
function withOpenWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOpenWords);
  if (typeof value !== 'object' || value === null) return value;
  const isOpen = 'enum' in value && Array.isArray(value.enum) && value.enum.includes('OTHER');
  const entries = Object.entries(value)
    .filter(([name]) => !(isOpen && name === 'enum'))
    .map(([name, inner]) => [name, withOpenWords(inner)]);
  return Object.fromEntries(entries) as unknown;
}
