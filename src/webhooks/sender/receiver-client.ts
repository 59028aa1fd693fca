import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ENVIRONMENT, type Environment, GuardedClient } from '../../platform/index.js';

/**
 * Posts to partners' receivers: to public addresses only, never into the lenders' private networks. The sender bounds
 * the posts to each receiver.
 */
@Injectable()
export class ReceiverClient extends GuardedClient implements OnApplicationShutdown {
  constructor(@Inject(ENVIRONMENT) { isLoopback }: Environment) {
    super(isLoopback, { maxConnections: null });
  }

  // The last of the hooks: the sender has finished in an earlier one.
  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }
}
