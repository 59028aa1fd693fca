import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Keyring } from '../platform/index.js';
import type { PaymentSettings } from './gateway-settings.js';

export const CLIENT_KEY_PURPOSE = 'lenders.client_key';
export const PAYMENT_ACCOUNT_PURPOSE = 'lenders.payment';

export abstract class SealedSettings<Value> {
  protected constructor(
    private readonly keyring: Keyring,
    private readonly purpose: string,
    private readonly form: Pick<typeof JSON, 'parse' | 'stringify'> = JSON,
  ) {}

  /** @param kept returned for the same value: sealing again would look like a change */
  seal(value: Value, kept: string | null = null): string {
    return kept !== null && this.holds(kept, value)
      ? kept
      : this.keyring.seal(this.form.stringify(value), this.purpose);
  }

  /** @throws Unreadable when its key is no longer in the ring */
  open(sealed: string): Value {
    return this.form.parse(this.keyring.open(sealed, this.purpose)) as Value;
  }

  /** False when it does not open. */
  holds(sealed: string, value: Value): boolean {
    try {
      return isDeepStrictEqual(this.open(sealed), value);
    } catch {
      return false;
    }
  }
}

/** Private keys of TLS client certificates, sealed as PEM. */
@Injectable()
export class ClientKeys extends SealedSettings<string> {
  constructor(keyring: Keyring) {
    super(keyring, CLIENT_KEY_PURPOSE, { parse: String, stringify: String });
  }
}

/** Lenders' own accounts with payment gateways. */
@Injectable()
export class PaymentAccounts extends SealedSettings<PaymentSettings> {
  constructor(keyring: Keyring) {
    super(keyring, PAYMENT_ACCOUNT_PURPOSE);
  }
}
