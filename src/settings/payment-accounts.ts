import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Keyring } from '../platform/index.js';
import type { PaymentSettings } from './gateway-settings.js';

/** The purpose that lenders' payment accounts are sealed for. */
export const PAYMENT_ACCOUNT_PURPOSE = 'lenders.payment';

/** The payment accounts of lenders: with which gateway, and the secrets that it knows us by. */
@Injectable()
export class PaymentAccounts {
  constructor(private readonly keyring: Keyring) {}

  /** An account sealed; as it is kept when it is the same: sealed again it would look like a change. */
  seal(account: PaymentSettings, kept: string | null): string {
    return kept !== null && this.holds(kept, account)
      ? kept
      : this.keyring.seal(JSON.stringify(account), PAYMENT_ACCOUNT_PURPOSE);
  }

  /** @throws Error when it was sealed under a key that is no longer in the ring */
  open(sealed: string): PaymentSettings {
    return JSON.parse(this.keyring.open(sealed, PAYMENT_ACCOUNT_PURPOSE)) as PaymentSettings;
  }

  private holds(sealed: string, account: PaymentSettings): boolean {
    try {
      return isDeepStrictEqual(this.open(sealed), account);
    } catch {
      return false;
    }
  }
}
