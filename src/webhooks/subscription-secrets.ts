import { Injectable } from '@nestjs/common';
import { Keyring, RandomSource } from '../platform/index.js';
import { webhookSecret } from './signatures.js';

const PURPOSE = 'webhook_subscriptions.secret';

/** Makes signing secrets, and seals and opens them for their columns. */
@Injectable()
export class SubscriptionSecrets {
  constructor(
    private readonly keyring: Keyring,
    private readonly random: RandomSource,
  ) {}

  /** A new secret: to be shown once, and to be stored sealed. */
  make(): { secret: string; sealed: string } {
    const secret = webhookSecret(this.random.bytes(32));
    return { secret, sealed: this.keyring.seal(secret, PURPOSE) };
  }

  /** @throws Error when it was not sealed here */
  open(sealed: string): string {
    return this.keyring.open(sealed, PURPOSE);
  }
}
