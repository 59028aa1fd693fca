import { Injectable } from '@nestjs/common';
import { Keyring } from '../platform/index.js';

/** The purpose that the private keys of client certificates are sealed for. */
export const CLIENT_KEY_PURPOSE = 'lenders.client_key';

/** The private keys of the TLS client certificates that lenders are shown. */
@Injectable()
export class ClientKeys {
  constructor(private readonly keyring: Keyring) {}

  /** A key sealed; as it is kept when it is the same: sealed again it would look like a change. */
  seal(privateKey: string, kept: string | null): string {
    return kept !== null && this.holds(kept, privateKey)
      ? kept
      : this.keyring.seal(privateKey, CLIENT_KEY_PURPOSE);
  }

  /** @throws Error when it was sealed under a key that is no longer in the ring */
  open(sealed: string): string {
    return this.keyring.open(sealed, CLIENT_KEY_PURPOSE);
  }

  private holds(sealed: string, privateKey: string): boolean {
    try {
      return this.open(sealed) === privateKey;
    } catch {
      return false;
    }
  }
}
