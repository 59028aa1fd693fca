import { Injectable } from '@nestjs/common';
import {
  amountsByPercentage,
  type FeeCharge,
  type Quote,
  repaymentSchedule,
} from '../../loans/index.js';
import { canonicalJson, sha256 } from '../../platform/index.js';
import { ServiceSettings } from '../../settings/index.js';
import { CURRENT_FORM_VERSION, FIRST_FORM_VERSION } from '../forms/key-facts-forms.js';
import type { KeyFactsInput } from './key-facts-input.js';
import { keyFactsStatement, type KeyFactsStatement } from './key-facts-statement.js';

/** What only the loan's own module knows; the rest of `KeyFactsInput` follows from it. */
export type LoanKeyFacts = Omit<KeyFactsInput, 'templateVersion' | 'lspName' | 'schedule'>;

/** A statement as it would be frozen. */
export interface KeyFactsDraft {
  readonly statement: KeyFactsStatement;
  /** Its canonical JSON: what is hashed, and what is kept. */
  readonly content: string;
  /** SHA-256 (hex) of the content. */
  readonly contentHash: string;
}

/**
 * Draws up Key Facts Statements (RBI/2024-25/18), in the current version of the form. An offer that an earlier
 * release has kept has no texts: its statement is drawn up as it was shown then, byte for byte.
 */
@Injectable()
export class KeyFactsDrafts {
  constructor(private readonly settings: ServiceSettings) {}

  /** @throws RangeError when a fact is missing or two do not fit together */
  async drawUp(facts: LoanKeyFacts): Promise<KeyFactsDraft> {
    const { principal, annualRatePercent, tenureMonths } = facts.quote;
    const statement = keyFactsStatement({
      ...facts,
      quote: facts.texts ? withTruePercentages(facts.quote) : facts.quote,
      templateVersion: facts.texts ? CURRENT_FORM_VERSION : FIRST_FORM_VERSION,
      lspName: (await this.settings.brand()).displayName,
      schedule: repaymentSchedule(principal, annualRatePercent, tenureMonths),
    });
    const content = canonicalJson(statement);
    return { statement, content, contentHash: sha256(content) };
  }
}

/** Of an offer that an earlier release has kept, a percentage may be one that does not give the amount. */
function withTruePercentages(quote: Quote): Quote {
  return { ...quote, fees: quote.fees.map((fee) => withTruePercentage(quote.principal, fee)) };
}

function withTruePercentage(
  principal: Quote['principal'],
  { percentOfPrincipal, ...fee }: FeeCharge,
): FeeCharge {
  const stated = { ...fee, ...(percentOfPrincipal !== undefined && { percentOfPrincipal }) };
  const isTrue = amountsByPercentage(principal, stated)?.includes(fee.amount) ?? true;
  return isTrue ? stated : fee;
}
