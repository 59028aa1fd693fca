import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Environment, ENVIRONMENT } from '../config/environment.js';
import { GuardedClient } from './guarded-client.js';

/** For all calls except those of `OutboundThread`. */
@Injectable()
export class OutboundClient extends GuardedClient implements OnApplicationShutdown {
  constructor(@Inject(ENVIRONMENT) { isLoopback, privateNetworks }: Environment) {
    super(isLoopback, { privateNetworks });
  }

  // The last hook: callers have finished by then.
  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }
}
