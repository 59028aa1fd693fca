import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Environment, ENVIRONMENT } from '../../config/environment.js';
import { projectPath } from '../../database/data-source.js';
import { AnsweringThread } from '../../threads/answering-thread.js';
import type { OutboundAnswer, OutboundRequest } from '../guarded-client.js';
import { OutboundFailure, type OutboundFailureReason } from '../outbound-failure.js';
import { machineMs, TooLate, type ExchangeLimits } from '../exchange.js';

export interface OutboundSetUp {
  readonly isLoopback: boolean;
}

interface ThreadRequest extends Pick<OutboundRequest, 'headers' | 'body'> {
  /** Including thread and connection. */
  readonly startWithinMs: number;
}

/** Reuse one object for many requests: it then passes once a message. */
export interface ThreadLimits extends Omit<ExchangeLimits, 'notAfter'> {
  /** Response headers to keep, in lower case. */
  readonly keptHeaders: readonly string[];
}

export interface Post extends Omit<ThreadRequest, 'startWithinMs'> {
  readonly url: string;
  readonly limits: ThreadLimits;
  /** By `machineMs`. */
  readonly notAfter: number;
}

export type Posted = OutboundAnswer | FailureParts | Pick<TooLate, 'hasConnected'>;

interface FailureParts {
  readonly reason: OutboundFailureReason;
  readonly message: string;
  readonly status?: number;
  readonly durationMs: number;
}

const FILE = projectPath('dist/src/platform/outbound/outbound-thread/outbound-worker.js');

/**
 * Sends webhooks as guarded as `OutboundClient`, on its own thread, so that sockets and handshakes
 * do not load the main one.
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
   * @throws OutboundFailure when no usable answer came; TooLate when not started in time; Error
   * when the thread ended, and the outcome is unknown
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

  // The last hook: callers have finished by then.
  async onApplicationShutdown(): Promise<void> {
    await this.thread.end();
  }
}
