import { Injectable } from '@nestjs/common';
import { PaymentOrders } from '../../payments/index.js';
import { ConfiguredGateways, smsCompany } from '../../settings/index.js';

/** Who gets an applicant's data besides the lenders, by name. */
export interface CompaniesByName {
  /** Null where the configuration does not say. */
  readonly smsCompany: string | null;
  /** One after the other; empty where no fee can be taken at present. */
  readonly paymentCompanies: string;
}

/** The firms that send the texts and take the fees, as the configuration in force names them. */
@Injectable()
export class OutsideCompanies {
  constructor(
    private readonly gateways: ConfiguredGateways,
    private readonly payments: PaymentOrders,
  ) {}

  /** @param lenderCodes each can have an account of its own with another gateway */
  async of(lenderCodes: readonly string[]): Promise<CompaniesByName> {
    const pages = await Promise.all(lenderCodes.map((code) => this.payments.pageFor(code)));
    const names = new Set(pages.flatMap((page) => page?.name ?? []));
    return {
      smsCompany: smsCompany(await this.gateways.sms()),
      paymentCompanies: [...names].join(', '),
    };
  }
}
