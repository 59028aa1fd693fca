import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Environment, ENVIRONMENT } from '../config/environment.js';
import { GuardedClient } from './guarded-client.js';

/** The service's one way out, but for what has a thread of its own (`OutboundThread`). */
@Injectable()
export class OutboundClient extends GuardedClient implements OnApplicationShutdown {
  constructor(@Inject(ENVIRONMENT) { isLoopback, privateNetworks }: Environment) {
    super(isLoopback, { privateNetworks });
  }

  // The last of the hooks: whoever calls out has finished in an earlier one.
  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }
}
