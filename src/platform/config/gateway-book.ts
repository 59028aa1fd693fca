import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { Keyring } from '../crypto/keyring.js';
import { Database } from '../database/database.js';
import { Revisioned } from '../database/revisioned.js';
import type { GatewaySettings, PaymentSettings, SmsSettings } from './gateway-settings.js';

const PURPOSE = 'configuration.gateways';

/**
 * The gateways that the configuration in force names. They hold secrets of the operator's, so they
 * are sealed in their column and opened here alone.
 */
@Injectable()
export class GatewayBook {
  private readonly kept: Revisioned<GatewaySettings>;

  constructor(
    database: Database,
    clock: Clock,
    private readonly keyring: Keyring,
  ) {
    this.kept = new Revisioned(database, clock, async () => {
      const [row] = await database.aside<{ sealed: string | null }>(
        'SELECT gateways_sealed AS sealed FROM configuration',
      );
      if (!row?.sealed) {
        throw new Error('No gateways are configured: npm run admin -- config apply');
      }
      return this.open(row.sealed);
    });
  }

  async sms(): Promise<SmsSettings> {
    return (await this.kept.get()).sms;
  }

  async payment(): Promise<PaymentSettings> {
    return (await this.kept.get()).payment;
  }

  /** For whoever applies a configuration. */
  seal(settings: GatewaySettings): string {
    return this.keyring.seal(JSON.stringify(settings), PURPOSE);
  }

  /** Whether a sealed value holds just these settings; one that does not open holds none. */
  holds(sealed: string, settings: GatewaySettings): boolean {
    try {
      return isDeepStrictEqual(this.open(sealed), settings);
    } catch {
      return false;
    }
  }

  /** @throws Error when the value was sealed under a key that is no longer in the ring */
  private open(sealed: string): GatewaySettings {
    return JSON.parse(this.keyring.open(sealed, PURPOSE)) as GatewaySettings;
  }
}
