import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Keyring, RandomSource } from '../../platform/index.js';
import { webhookSecret } from '../sender/signatures.js';

const PURPOSE = 'webhook_subscriptions.secret';
const MAX_KEPT = 10_000;

@Injectable()
export class SubscriptionSecrets {
  /** By sealed text, which is unique to each secret. */
  private readonly opened = new LRUCache<string, string>({
    max: MAX_KEPT,
    memoMethod: (sealed) => this.keyring.open(sealed, PURPOSE),
  });

  constructor(
    private readonly keyring: Keyring,
    private readonly random: RandomSource,
  ) {}

  make(): { secret: string; sealed: string } {
    const secret = webhookSecret(this.random.bytes(32));
    return { secret, sealed: this.keyring.seal(secret, PURPOSE) };
  }

  /** @throws Error if it was not sealed here */
  open(sealed: string): string {
    return this.opened.memo(sealed);
  }
}
