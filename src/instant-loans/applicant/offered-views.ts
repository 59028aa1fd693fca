import { Injectable } from '@nestjs/common';
import { readIn } from '../../key-facts/index.js';
import { PaymentOrders, Refunds } from '../../payments/index.js';
import { Clock, type Language, type Tx } from '../../platform/index.js';
import { ServiceSettings } from '../../settings/index.js';
import { InstantLoanLinks } from '../access/instant-loan-links.js';
import type { ChosenInstantLoan, InstantLoan } from '../store/instant-loan.entity.js';
import { InstantOffersRepository } from '../store/instant-offers.repository.js';
import { InstantKeyFacts } from '../use-cases/instant-key-facts.js';
import { type OfferedLoanView, viewOf } from './instant-loan-view.js';

@Injectable()
export class OfferedViews {
  constructor(
    private readonly payments: PaymentOrders,
    private readonly refunds: Refunds,
    private readonly keyFacts: InstantKeyFacts,
    private readonly links: InstantLoanLinks,
    private readonly offers: InstantOffersRepository,
    private readonly settings: ServiceSettings,
    private readonly clock: Clock,
  ) {}

  /** Lenders' texts in the language where available. */
  async of(tx: Tx, loan: ChosenInstantLoan, language: Language): Promise<OfferedLoanView> {
    const { id, partnerId } = loan;
    const paths = { ...(await this.pathsOf(tx, loan)), keyFactsPath: this.links.keyFactsPath(id) };
    const { terms } = await this.offers.leading(tx, loan);
    const facts = {
      terms,
      returned: await this.refunds.of(tx, partnerId, id),
      hasPage: await this.hasPage(tx, loan),
      isClosing: await this.isClosing(tx, loan),
      decisionSeconds: (await this.settings.operating()).lenderGiveUpSeconds,
    };
    const statement = readIn(this.keyFacts.read(loan), language);
    return viewOf(loan, statement, paths, facts, this.clock.now());
  }

  async pathsOf(tx: Tx, loan: InstantLoan) {
    const returnUrl = await this.links.returnUrl(tx, loan);
    return { payPath: this.links.payPath(loan.id), returnUrl };
  }

  private async hasPage(tx: Tx, { paymentOrderId }: InstantLoan): Promise<boolean> {
    return paymentOrderId !== null && !(await this.payments.isUnopened(tx, paymentOrderId));
  }

  private async isClosing(tx: Tx, { paymentOrderId }: InstantLoan): Promise<boolean> {
    return paymentOrderId !== null && this.payments.isClosing(tx, paymentOrderId);
  }
}
