import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DuePoller, logFailure, UNWOKEN_MS, WorkLoop } from '../../platform/index.js';
import { FreshLinks } from '../access/fresh-links.js';
import { LinkRequestsRepository } from '../store/link-requests.repository.js';

/**
 * Looks into the fresh links that were asked for, one by one, on any number of replicas. No request wakes
 * it: work that began with the answer could be felt by whoever asked, in how long the next answer takes.
 */
@Injectable()
export class FreshLinksWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(FreshLinksWorker.name);
  private readonly loop = new WorkLoop({
    name: 'fresh-links',
    run: () => this.pass(),
    pollMs: UNWOKEN_MS,
    beginsAtRest: true,
  });

  constructor(
    private readonly freshLinks: FreshLinks,
    poller: DuePoller,
  ) {
    poller.watch(LinkRequestsRepository.DUE, () => this.loop.wake());
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  /** It rests after every pass, so that the beginning of the next has nothing to do with a request. */
  private async pass(): Promise<number> {
    while (!this.loop.isStopping && (await this.freshLinks.sendNext(this.postponed)));
    return 0;
  }

  private readonly postponed = (error: unknown): void => logFailure(this.logger, error);
}
