import { Injectable } from '@nestjs/common';
import {
  type Eligibility,
  type EligibilityQuestion,
  LenderGateway,
  LenderUnavailable,
} from '../lenders/index.js';
import { OfferPresentations } from '../matching/index.js';
import { IdGenerator } from '../platform/index.js';
import { type Lender, LenderCatalogue } from '../settings/index.js';
import { judge, withoutContradiction } from './published-rules.js';

interface LenderEligibility extends Eligibility {
  readonly lenderCode: string;
  readonly lenderName: string;
}

export interface CheckedEligibility {
  readonly id: string;
  readonly lenders: readonly LenderEligibility[];
}

/** Causes no credit enquiry; writes nothing that a journey reads. */
@Injectable()
export class EligibilityChecks {
  constructor(
    private readonly lenders: LenderCatalogue,
    private readonly gateway: LenderGateway,
    private readonly presentations: OfferPresentations,
    private readonly ids: IdGenerator,
  ) {}

  /** All lenders of the product, by code; those that are asked have two seconds together. */
  async check(partnerId: string, question: EligibilityQuestion): Promise<CheckedEligibility> {
    const { productCode, loanAmount } = question;
    const id = this.ids.next('elg');
    const serving = await this.lenders.serving(productCode);
    const lenders = await Promise.all(
      serving
        .toSorted((one, other) => (one.code < other.code ? -1 : 1))
        .map(async (lender) => ({
          lenderCode: lender.code,
          lenderName: lender.name,
          ...(await this.eligibilityAt(lender, id, question)),
        })),
    );
    const shown = { partnerId, subjectId: id, productCode, loanAmount, lenders };
    await this.presentations.eligibilityShown(shown);
    return { id, lenders };
  }

  private async eligibilityAt(
    { code, remote, terms }: Lender,
    subjectId: string,
    question: EligibilityQuestion,
  ): Promise<Eligibility> {
    if (!remote?.eligibility) return judge(question, terms.products[question.productCode]);
    try {
      const about = { lenderCode: code, subjectId, idempotencyKey: '1', question };
      return withoutContradiction(await this.gateway.eligibility(about), question.loanAmount);
    } catch (error) {
      if (error instanceof LenderUnavailable) return { verdict: 'UNKNOWN' };
      throw error;
    }
  }
}
