import { Injectable } from '@nestjs/common';
import { repaymentSchedule } from '../../loans/index.js';
import { canonicalJson, type Language, sha256 } from '../../platform/index.js';
import { ServiceSettings } from '../../settings/index.js';
import type { KeyFactsInput } from '../domain/key-facts-input.js';
import {
  type KeyFactsDraft,
  type KeyFactsStatement,
  keyFactsStatement,
} from '../domain/key-facts-statement.js';
import { keyFactsForm5 } from './form-5/form-5.js';
import type { KeyFactsDocument, KeyFactsWords } from './key-facts-document.js';

type KeyFactsForm = (
  statement: KeyFactsStatement,
  words: KeyFactsWords,
  language: Language,
) => KeyFactsDocument;

/** Never remove a version that an applicant may have agreed to. */
export const FORMS: ReadonlyMap<string, KeyFactsForm> = new Map([['5', keyFactsForm5]]);

const CURRENT_FORM_VERSION = '5';

/** @throws RangeError for an unknown version, an unsafe amount or a malformed date */
export function keyFactsDocument(
  statement: KeyFactsStatement,
  words: KeyFactsWords,
  language: Language,
): KeyFactsDocument {
  const form = FORMS.get(statement.templateVersion);
  if (!form) {
    throw new RangeError(`There is no version ${statement.templateVersion} of the form`);
  }
  return form(statement, words, language);
}

type LoanKeyFacts = Omit<KeyFactsInput, 'templateVersion' | 'lspName' | 'schedule'>;

/** Drafts use the current form. */
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
