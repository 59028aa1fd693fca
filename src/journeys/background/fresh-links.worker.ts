import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DuePoller, logFailure, UNWOKEN_MS, WorkLoop } from '../../platform/index.js';
import { FreshLinks } from '../access/hosted-links.js';
import { LinkRequestsRepository } from '../store/hosted-links.repository.js';

/** No request wakes it: work right after an answer would show, by its timing, whether the journey exists. */
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

  /** Returns 0, to pause after every pass. */
  private async pass(): Promise<number> {
    while (!this.loop.isStopping && (await this.freshLinks.sendNext(this.postponed)));
    return 0;
  }

  private readonly postponed = (error: unknown): void => logFailure(this.logger, error);
}
