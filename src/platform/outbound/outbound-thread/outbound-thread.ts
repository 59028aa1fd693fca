import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Environment, InjectEnvironment } from '../../config/environment.js';
import { projectPath } from '../../database/data-source.js';
import { AnsweringThread } from '../../threads/answering-thread.js';
import type { OutboundAnswer, OutboundRequest } from '../guarded-client.js';
import { OutboundFailure, type OutboundFailureReason } from '../outbound-failure.js';
import { machineMs, TooLate, type ExchangeLimits } from '../exchange.js';

export interface OutboundSetUp {
  readonly isLoopback: boolean;
}

interface ThreadRequest extends Pick<OutboundRequest, 'headers' | 'body'> {
  /** Includes waiting for thread and connection. */
  readonly startWithinMs: number;
}

/** Reuse one object for many requests, so that a message contains it once. */
export interface ThreadLimits extends Omit<ExchangeLimits, 'notAfter'> {
  /** In lower case. */
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

/** A separate thread keeps sockets and handshakes off the main one. */
@Injectable()
export class OutboundThread implements OnApplicationShutdown {
  private readonly thread: AnsweringThread<Post, Posted>;

  constructor(@InjectEnvironment { isLoopback }: Environment) {
    const workerData: OutboundSetUp = { isLoopback };
    this.thread = new AnsweringThread({
      name: 'webhooks',
      file: FILE,
      workerData,
    });
  }

  /** @throws OutboundFailure, TooLate; Error when the thread ended, with an unknown outcome */
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
