import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { BatchQueue, isConnectionLost, logFailure, within, Metrics } from '../platform/index.js';
import {
  type ArrivedRequest,
  PartnerRequestsRepository,
} from './store/partner-requests.repository.js';

const MAX_A_BATCH = 1_000;
/** A small statement costs as much again as its content. */
const REST_MS = 500;
/** About 10 MB. */
const MAX_WAITING = 20_000;
/** A smaller share, so that unverified senders crowd out no other calls. */
const MAX_WAITING_UNKNOWN = MAX_WAITING / 4;
/** An error in every call must not cost one statement per call. */
const MAX_SPLITS = 100;
const TRY_AGAIN_AFTER_MS = 1_000;
const LAST_WRITE_MS = 1_000;

/**
 * Calls that the database refuses are dropped and counted. During an outage the first batch is
 * retried.
 */
@Injectable()
export class RequestLogWriter implements OnApplicationShutdown {
  private readonly logger = new Logger(RequestLogWriter.name);
  private readonly queue = new BatchQueue<ArrivedRequest>({
    run: (requests) => this.write(requests),
    maxItems: MAX_A_BATCH,
    maxInFlight: 1,
    restMs: REST_MS,
  });
  private waiting = 0;
  private isStopping = false;
  private stop: () => void = () => undefined;
  private readonly stopped = new Promise<void>((resolve) => (this.stop = resolve));

  readonly dropped: Counter<'reason'>;

  constructor(
    private readonly requests: PartnerRequestsRepository,
    metrics: Metrics,
  ) {
    this.dropped = metrics.counter(
      'request_log_dropped_total',
      'Calls missing from the request log: too many were waiting, or the database refused them',
      ['reason'],
    );
  }

  add(request: ArrivedRequest): void {
    if (this.waiting >= (request.isAuthenticated ? MAX_WAITING : MAX_WAITING_UNKNOWN)) {
      this.dropped.inc({ reason: 'full' });
      return;
    }
    this.waiting += 1;
    this.queue.add(request);
  }

  /** Resolves also when calls were dropped. */
  written(): Promise<void> {
    return this.queue.drained();
  }

  /** Every call has its response by now. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    this.stop();
    await within(LAST_WRITE_MS, this.written(), () => undefined);
  }

  private async write(requests: readonly ArrivedRequest[]): Promise<void> {
    try {
      await this.writeOrDrop(requests, { splits: 0 });
    } finally {
      this.waiting -= requests.length;
    }
  }

  private async writeOrDrop(
    requests: readonly ArrivedRequest[],
    batch: { splits: number },
  ): Promise<void> {
    try {
      await this.writeOnceItIsThere(requests);
    } catch (error) {
      if (requests.length > 1 && batch.splits < MAX_SPLITS && isRowError(error)) {
        batch.splits += 1;
        const middle = Math.floor(requests.length / 2);
        await this.writeOrDrop(requests.slice(0, middle), batch);
        await this.writeOrDrop(requests.slice(middle), batch);
        return;
      }
      this.dropped.inc({ reason: 'unwritable' }, requests.length);
      logFailure(this.logger, error, { dropped: requests.length, firstCall: requests[0].id });
    }
  }

  private async writeOnceItIsThere(requests: readonly ArrivedRequest[]): Promise<void> {
    for (let isFirst = true; ; isFirst = false) {
      try {
        return await (isFirst ? this.requests.write(requests) : this.requests.writeAgain(requests));
      } catch (error) {
        if (!isConnectionLost(error) || this.isStopping) throw error;
        await within(TRY_AGAIN_AFTER_MS, this.stopped, () => undefined);
      }
    }
  }
}

/** Invalid value or key (classes 22 and 23), or too long for an index (54). */
function isRowError(error: unknown): boolean {
  if (isConnectionLost(error)) return false;
  const { code } = error as { code?: string };
  return code === undefined || /^(22|23|54)/.test(code);
}
