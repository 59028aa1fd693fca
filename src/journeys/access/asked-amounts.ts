import { Injectable } from '@nestjs/common';
import { type Paise, paiseToRupees } from '../../loans/index.js';
import { LeadWriter } from '../../leads/index.js';
import { type FieldProblem, type Tx, validationFault } from '../../platform/index.js';
import { checkLoanAmount } from '../../products/index.js';
import { ProductCatalogue } from '../../settings/index.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneyAudit } from '../store/journey-audit.js';
import { JourneysRepository } from '../store/journeys.repository.js';

export interface AmountQuestion {
  readonly least: Paise;
  readonly most: Paise;
  readonly suggested: Paise;
}

@Injectable()
export class AskedAmounts {
  constructor(
    private readonly products: ProductCatalogue,
    private readonly journeys: JourneysRepository,
    private readonly leads: LeadWriter,
    private readonly audit: JourneyAudit,
  ) {}

  /** @returns null when the product is no longer configured */
  async question({
    productCode,
    loanAmount,
  }: Pick<Journey, 'productCode' | 'loanAmount'>): Promise<AmountQuestion | null> {
    const product = await this.products.find(productCode);
    if (!product) return null;
    return { least: product.minimumAmount, most: product.maximumAmount, suggested: loanAmount };
  }

  /**
   * @param journey locked, in INITIATED
   * @throws Fault validation_failed for an amount outside the product's range
   */
  async set(tx: Tx, journey: Journey, loanAmount: Paise): Promise<void> {
    const problems: FieldProblem[] = [];
    const product = await this.products.find(journey.productCode);
    checkLoanAmount(paiseToRupees(loanAmount), product ?? undefined, problems);
    if (problems.length > 0) throw validationFault(problems);
    const { loanAmount: before, loanAmountSource: source } = journey;
    if (before === loanAmount && source !== 'DEFAULT') return;
    const named = { loanAmount, loanAmountSource: 'APPLICANT' } as const;
    const changed = await this.journeys.change(tx, journey, 'INITIATED', named);
    if (!changed) throw new Error(`the amount of journey ${journey.id} can no longer be set`);
    const { partnerId, applicationId: id } = journey;
    await this.leads.setAmount(tx, { id, partnerId, ...named });
    await this.audit.record(tx, changed, 'AMOUNT_NAMED');
  }
}
