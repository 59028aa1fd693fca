import { Injectable, Logger } from '@nestjs/common';
import { PaymentOrders } from '../../payments/index.js';
import { logFailure } from '../../platform/index.js';
import { ConfiguredGateways, smsCompany } from '../../settings/index.js';

/** Whose gateway an applicant's fee is paid with. */
export interface FeeTakers {
  /** The payment that was ordered; null: none yet. */
  readonly orderId: string | null;
  /** The lender whose offer is chosen, else those that can be; each can have an account with another gateway. */
  readonly lenderCodes: readonly string[];
}

/** Who gets an applicant's data besides the lenders, by name. */
export interface CompaniesByName {
  /** Null where the configuration does not say. */
  readonly smsCompany: string | null;
  /** Empty where no fee can be taken at present. */
  readonly paymentCompanies: readonly string[];
}

/** The firms that send the texts and take the fees. A name that cannot be read is left out: the page goes on without it. */
@Injectable()
export class OutsideCompanies {
  private readonly logger = new Logger(OutsideCompanies.name);

  constructor(
    private readonly gateways: ConfiguredGateways,
    private readonly payments: PaymentOrders,
  ) {}

  /** @param fees null: none is taken */
  async of(fees: FeeTakers | null): Promise<CompaniesByName> {
    const names = fees ? await this.orNothing(() => this.feeCompanies(fees)) : null;
    return {
      smsCompany: await this.orNothing(async () => smsCompany(await this.gateways.sms())),
      paymentCompanies: names ?? [],
    };
  }

  /** Once a payment is ordered, its gateway has the data, whatever is configured by now. */
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
