import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Environment, ENVIRONMENT } from '../../config/environment.js';
import { projectPath } from '../../database/data-source.js';
import { AnsweringThread } from '../../threads/answering-thread.js';
import type { OutboundAnswer, OutboundRequest } from '../guarded-client.js';
import { OutboundFailure, type OutboundFailureReason } from '../outbound-failure.js';
import { machineMs, TooLate, type ExchangeLimits } from '../exchange.js';

/** What the thread is started with. */
export interface OutboundSetUp {
  readonly isLoopback: boolean;
}

/** What is sent to an address. */
export interface ThreadRequest extends Pick<OutboundRequest, 'headers' | 'body'> {
  /** How long it may take until it is started, thread and connection included. */
  readonly startWithinMs: number;
}

/** Meant to be one object for many requests: it then passes to the thread once a message. */
export interface ThreadLimits extends Omit<ExchangeLimits, 'notAfter'> {
  /** Of the answer's headers, in lower case: the others are left behind. */
  readonly keptHeaders: readonly string[];
}

export interface Post extends Omit<ThreadRequest, 'startWithinMs'> {
  readonly url: string;
  readonly limits: ThreadLimits;
  /** By `machineMs`. */
  readonly notAfter: number;
}

/** What came of it: an answer, why there is none that could be used, or that it was not sent. */
export type Posted = OutboundAnswer | FailureParts | Pick<TooLate, 'hasConnected'>;

export interface FailureParts {
  readonly reason: OutboundFailureReason;
  readonly message: string;
  readonly status?: number;
  readonly durationMs: number;
}

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
