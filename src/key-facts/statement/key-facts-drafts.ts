import { Injectable } from '@nestjs/common';
import { repaymentSchedule } from '../../loans/index.js';
import { canonicalJson, sha256 } from '../../platform/index.js';
import { ServiceSettings } from '../../settings/index.js';
import { CURRENT_FORM_VERSION } from '../forms/key-facts-forms.js';
import type { KeyFactsInput } from '../domain/key-facts-input.js';
import { type KeyFactsDraft, keyFactsStatement } from '../domain/key-facts-statement.js';

/** What the loan's own module knows. */
type LoanKeyFacts = Omit<KeyFactsInput, 'templateVersion' | 'lspName' | 'schedule'>;

/** Draws up Key Facts Statements (RBI/2024-25/18) in the current form. */
@Injectable()
export class KeyFactsDrafts {
  constructor(private readonly settings: ServiceSettings) {}

  /** @throws RangeError when a fact is missing or inconsistent */
  async drawUp(facts: LoanKeyFacts): Promise<KeyFactsDraft> {
    const { principal, annualRatePercent, tenureMonths } = facts.quote;
    const statement = keyFactsStatement({
      ...facts,
      templateVersion: CURRENT_FORM_VERSION,
      lspName: (await this.settings.brand()).displayName,
      schedule: repaymentSchedule(principal, annualRatePercent, tenureMonths),
    });
    const content = canonicalJson(statement);
    return { statement, content, contentHash: sha256(content) };
  }
}
