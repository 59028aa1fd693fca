import { Injectable, Logger } from '@nestjs/common';
import { PaymentOrders } from '../../payments/index.js';
import { logFailure } from '../../platform/index.js';
import { ConfiguredGateways, smsCompany } from '../../settings/index.js';

export interface FeeTakers {
  /** The latest payment order, if any. */
  readonly orderId: string | null;
  /** The chosen lender, else all that can be chosen; each may use another gateway. */
  readonly lenderCodes: readonly string[];
}

export interface CompaniesByName {
  readonly smsCompany: string | null;
  readonly paymentCompanies: readonly string[];
}

/** A name that cannot be read is omitted, so that the page still loads. */
@Injectable()
export class OutsideCompanies {
  private readonly logger = new Logger(OutsideCompanies.name);

  constructor(
    private readonly gateways: ConfiguredGateways,
    private readonly payments: PaymentOrders,
  ) {}

  /** @param fees null when no fee is taken */
  async of(fees: FeeTakers | null): Promise<CompaniesByName> {
    const names = fees ? await this.orNothing(() => this.feeCompanies(fees)) : null;
    return {
      smsCompany: await this.orNothing(async () => smsCompany(await this.gateways.sms())),
      paymentCompanies: names ?? [],
    };
  }

  /** Once a payment is ordered its gateway has the data, whatever is configured now. */
  private async feeCompanies({ orderId, lenderCodes }: FeeTakers): Promise<string[]> {
    const ordered = orderId === null ? null : await this.payments.pageOf(orderId);
    if (ordered) return [ordered.name];
    const pages = await Promise.all(lenderCodes.map((code) => this.payments.pageFor(code)));
    return [...new Set(pages.flatMap((page) => page?.name ?? []))];
  }

  private async orNothing<Value>(read: () => Promise<Value>): Promise<Value | null> {
    try {
      return await read();
    } catch (error) {
      logFailure(this.logger, error);
      return null;
    }
  }
}
