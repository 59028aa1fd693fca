import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { projectPath } from '../../database/data-source.js';
import { AnsweringThread } from '../../threads/answering-thread.js';
import type { OutboundAnswer } from '../guarded-client.js';
import { OutboundFailure } from '../outbound-failure.js';
import { machineMs, TooLate } from '../too-late.js';
import type { OutboundSetUp, Post, Posted, ThreadLimits, ThreadRequest } from './posted.js';

const FILE = projectPath('dist/src/platform/outbound/outbound-thread/outbound-worker.js');

/**
 * The way out for what is posted by the thousand: as guarded as `OutboundClient`, on a thread of its
 * own, so that sockets and handshakes are no work of the one that answers requests.
 */
@Injectable()
export class OutboundThread implements OnApplicationShutdown {
  private readonly thread: AnsweringThread<Post, Posted>;

  constructor(@Inject(ENVIRONMENT) { isLoopback }: Environment) {
    const workerData: OutboundSetUp = { isLoopback };
    this.thread = new AnsweringThread({
      name: 'webhooks',
      file: FILE,
      workerData,
    });
  }

  /**
   * @throws OutboundFailure when no answer came that could be used (its cause stays on the thread);
   *   TooLate when it was not started in time; Error when the thread ended, and whether it was sent is
   *   not known
   */
  async post(
    url: string,
    { headers, body, startWithinMs }: ThreadRequest,
    limits: ThreadLimits,
  ): Promise<OutboundAnswer> {
    const notAfter = machineMs() + startWithinMs;
    const posted = await this.thread.ask({ url, headers, body, limits, notAfter });
    if ('hasConnected' in posted) throw new TooLate(posted.hasConnected);
    if ('reason' in posted) throw new OutboundFailure(posted.reason, posted);
    return posted;
  }

  // The last of the hooks: whoever calls out has finished in an earlier one.
  async onApplicationShutdown(): Promise<void> {
    await this.thread.end();
  }
}
